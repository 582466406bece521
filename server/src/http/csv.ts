// Lines of CSV (RFC 4180), made so that a spreadsheet takes nothing for a formula.
import { Readable } from 'node:stream'

type CsvValue = string | number | boolean | null | undefined

/** A text that a spreadsheet would compute is told to be one by an apostrophe; numbers are as they are. */
function writeValue(value: CsvValue): string {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'string') return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const writeLine = (values: readonly CsvValue[]): string => `${values.map(writeValue).join()}\r\n`

/**
 * Pages of rows as they are read; whoever goes away ends it, and the next page is read when this one was sent. The first is read
 * before anything is answered, so that a bad request is told so.
 */
export async function streamCsv<Row>(
  header: readonly string[],
  pages: AsyncGenerator<Row[]>,
  toValues: (row: Row) => readonly CsvValue[],
): Promise<Readable> {
  const first = await pages.next()
  const write = (rows: Row[]) => rows.map((row) => writeLine(toValues(row))).join('')
  async function* stream() {
    yield writeLine(header) + (first.done ? '' : write(first.value))
    for await (const rows of pages) if (rows.length > 0) yield write(rows)
  }
  return Readable.from(stream(), { objectMode: false })
}
