// tollkeeper export customers|usage|bonuses|catalogue: streams a list to standard output or a file.
import { createWriteStream } from 'node:fs'
import { rename } from 'node:fs/promises'
import { resolve } from 'node:path'
import { finished } from 'node:stream/promises'
import { writeRecord } from '../import/csv.ts'
import { readInstant } from '../import/values.ts'
import { openRemote, type Variables } from '../remote.ts'
import { showPath } from '../show-path.ts'
import { UsageError } from '../usage-error.ts'
import { readChoice, readWords, remoteOptions } from '../words.ts'
import { type Exported, type ExportNoun, lists } from './lists.ts'

const options = {
  ...remoteOptions,
  format: { type: 'string', default: 'ndjson' },
  out: { type: 'string' },
  customer: { type: 'string' },
  from: { type: 'string' },
  to: { type: 'string' },
} as const

export async function exportCommand(variables: Variables, words: string[]): Promise<void> {
  const { values, positionals } = readWords(words, options, 1)
  const noun = positionals[0] as ExportNoun | undefined
  if (noun === undefined || !Object.hasOwn(lists, noun))
    throw new UsageError(`export needs one of ${Object.keys(lists).join(', ')}.`)
  const format = readChoice('format', values.format, ['ndjson', 'csv'])
  const { columns, read } = lists[noun]
  if (format === 'csv' && columns === undefined)
    throw new UsageError(`export ${noun} writes ndjson only: it is not a table.`)
  const asked = {
    customerId: values.customer,
    from: readTime('from', values.from),
    to: readTime('to', values.to),
  }
  const remote = openRemote(variables, values.url)
  const sink = openSink(values.out)
  if (format === 'csv') await sink.write(writeRecord(columns ?? []))
  let count = 0
  await read(remote, asked, async (record: Exported) => {
    count++
    await sink.write(
      format === 'csv'
        ? writeRecord((columns ?? []).map((column) => record[column]))
        : JSON.stringify(record),
    )
  })
  await sink.close()
  if (values.out !== undefined)
    process.stdout.write(`Wrote ${count} lines to ${showPath(resolve(values.out))}.\n`)
}

function readTime(name: string, text: string | undefined): number | undefined {
  try {
    return text === undefined ? undefined : readInstant(text)
  } catch (error) {
    throw new UsageError(`--${name} ${(error as Error).message}.`)
  }
}

type Sink = { write(line: string): Promise<void>; close(): Promise<void> }

/** Waits for whoever reads, so that memory stays small; a file appears under its name when it is whole. */
function openSink(out: string | undefined): Sink {
  const path = out === undefined ? undefined : resolve(out)
  const stream = path === undefined ? process.stdout : createWriteStream(`${path}.next`)
  let failure: Error | undefined
  if (path !== undefined)
    stream.on('error', (error) => {
      failure = error
    })
  return {
    write: (line) =>
      new Promise((done, fail) => {
        if (failure) fail(failure)
        else stream.write(`${line}\n`, (error) => (error ? fail(error) : done()))
      }),
    close: async () => {
      if (path === undefined) return
      stream.end()
      await finished(stream)
      await rename(`${path}.next`, path)
    },
  }
}
