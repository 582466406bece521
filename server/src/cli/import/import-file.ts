// Imports the records of a file: in batches, from where an earlier run stopped, with a line for each that is refused.
import { basename } from 'node:path'
import { CommandError } from '../command-error.ts'
import { openCheckpoint, type Progress } from './checkpoint.ts'
import { openProgressLine } from './progress-line.ts'
import { type Columns, type Format, type ImportRecord, readRecords } from './read-records.ts'
import { type Result, sendBatches } from './send-batches.ts'

export type FileImport = {
  path: string
  format: Format
  restart: boolean
  json: boolean
  /** What is imported, in the plural. */
  noun: string
  columns: Columns
  batchSize: number
  send(values: Record<string, unknown>[], records: ImportRecord[]): Promise<Result[]>
}

export const fileNameOf = (path: string): string => basename(path)

export async function importFile(file: FileImport): Promise<void> {
  const checkpoint = await openCheckpoint(file.path, file.restart).catch((error: Error) => {
    throw new CommandError(`${file.path} cannot be read: ${error.message}.`)
  })
  const { begin, size } = checkpoint
  const line = openProgressLine(process.stderr)
  const stop = stopOnSignal()
  if (begin.offset > 0)
    process.stderr.write(`Going on from line ${begin.line}; --restart begins at the first.\n`)
  const begunAt = Date.now()
  try {
    const progress = await sendBatches({
      records: readRecords(file.path, file.format, file.columns, begin),
      begin,
      batchSize: file.batchSize,
      inFlight: 4,
      send: file.send,
      onRefused: (at, sentence) => {
        line.clear()
        process.stderr.write(`line ${at}: ${sentence}\n`)
      },
      onProgress: async (now) => {
        await checkpoint.save(now)
        const perSecond = Math.round(((now.done - begin.done) / (Date.now() - begunAt + 1)) * 1000)
        line.show(`${now.done} ${file.noun}, ${perSecond}/s, ${now.refused} refused`, now.offset / size)
      },
      isStopped: stop.isStopped,
    })
    line.clear()
    if (stop.isStopped()) throw new CommandError(`Stopped at line ${progress.line}: run it again to go on.`)
    await checkpoint.remove()
    finish(file, progress)
  } finally {
    line.clear()
    stop.close()
  }
}

function finish({ noun, json }: FileImport, { done, refused, isNew }: Progress): void {
  const lines = refused === 1 ? '1 line was' : `${refused} lines were`
  const sentence = `Imported ${done} ${noun}, ${isNew} of them new; ${refused === 0 ? 'nothing was' : lines} refused.`
  process.stdout.write(`${json ? JSON.stringify({ imported: done, isNew, refused }) : sentence}\n`)
  if (refused > 0) process.exitCode = 1
}

/** What is under way is finished, so that the checkpoint is true. */
export function stopOnSignal(): { isStopped(): boolean; close(): void } {
  let stopped = false
  const stop = () => {
    stopped = true
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
  return {
    isStopped: () => stopped,
    close: () => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, stop)
    },
  }
}
