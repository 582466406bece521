// The records of a file, CSV or NDJSON, as what the service takes: each with its line, or with what is wrong with it.
import { hash } from 'node:crypto'
import { CommandError } from '../command-error.ts'
import { goesOn, parseRecord } from './csv.ts'
import { type Line, longestLine, type Place, readLines } from './read-lines.ts'

export type Format = 'csv' | 'ndjson'

export type ImportRecord = {
  line: number
  /** Where the next record begins. */
  next: Place
  /** What the line says, for deriving a key. */
  text: string
  value: Record<string, unknown> | undefined
  problem: string | undefined
}

/** How a column's text becomes a value; `metadata.…` columns are known without being named. */
export type Columns = Record<string, (text: string) => unknown>

export async function* readRecords(
  path: string,
  format: Format,
  columns: Columns,
  from: Place,
): AsyncGenerator<ImportRecord> {
  const header = format === 'csv' ? await readHeader(path, columns) : undefined
  const begin = header !== undefined && from.offset === 0 ? header.next : from
  for await (const { line, text, end, lastLine } of joinLines(readLines(path, begin), format)) {
    const next = { offset: end, line: lastLine + 1 }
    if (text !== undefined && text.trim() === '') continue
    try {
      if (text === undefined) throw new Error(`is longer than ${longestLine} bytes`)
      const value = header ? toValue(header.names, parseRecord(text), columns) : parseJson(text)
      yield { line, next, text, value, problem: undefined }
    } catch (error) {
      yield { line, next, text: '', value: undefined, problem: (error as Error).message }
    }
  }
}

type Joined = { line: number; lastLine: number; text: string | undefined; end: number }

/** A quoted value of CSV may hold line breaks. */
async function* joinLines(lines: AsyncIterable<Line>, format: Format): AsyncGenerator<Joined> {
  let open: Joined | undefined
  for await (const { text, number, end } of lines) {
    const joined: Joined = open
      ? { ...open, text: join(open.text, text), lastLine: number, end }
      : { line: number, lastLine: number, text, end }
    open = undefined
    if (format === 'csv' && joined.text !== undefined && goesOn(joined.text)) open = joined
    else yield joined
  }
  if (open) yield { ...open, text: undefined }
}

function join(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined || a.length + b.length > longestLine) return undefined
  return `${a}\n${b}`
}

async function readHeader(path: string, columns: Columns): Promise<{ names: string[]; next: Place }> {
  for await (const { text, end, number } of readLines(path, { offset: 0, line: 1 })) {
    const names = parseRecord(text ?? '')
    const unknown = names.find((name) => !Object.hasOwn(columns, name) && !/^metadata\../.test(name))
    if (unknown !== undefined)
      throw new CommandError(
        `The first line names the column ${JSON.stringify(unknown)}; known are ${Object.keys(columns).join(', ')} and metadata.….`,
      )
    return { names, next: { offset: end, line: number + 1 } }
  }
  throw new CommandError('The file is empty: its first line must name the columns.')
}

/** An empty value is one that is not given. */
function toValue(names: string[], values: string[], columns: Columns): Record<string, unknown> {
  if (values.length !== names.length)
    throw new Error(`has ${values.length} values, but the first line names ${names.length}`)
  const value: Record<string, unknown> = {}
  const metadata: Record<string, string> = {}
  for (const [index, name] of names.entries()) {
    const text = values[index] as string
    if (text === '') continue
    const read = columns[name]
    if (read) value[name] = read(text)
    else metadata[name.slice('metadata.'.length)] = text
  }
  if (Object.keys(metadata).length === 0) return value
  return { ...value, metadata: { ...(value.metadata as object | undefined), ...metadata } }
}

function parseJson(text: string): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new Error('is not JSON')
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>
  throw new Error('is not a JSON object')
}

/** The same line of the same file has the same key, so that it counts once however often the file is imported. */
export const deriveKey = (fileName: string, { line, text }: ImportRecord): string =>
  `import:${hash('sha256', `${fileName}\n${line}\n${text}`).slice(0, 32)}`
