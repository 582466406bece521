// A spool in a file: a line for each event that came in and for each batch that is done, appended and synced to disk.
import { type FileHandle, open, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { BufferedUsage, Spool } from '../buffer-options.ts'
import { type Line, nameOf, readLines } from './lines.ts'
import { lockFile, unlockFile } from './lock-file.ts'

/** The file is written anew when this many lines speak of events that are done. */
const deadLinesAllowed = 10_000

/** A file belongs to one process at a time; another that opens it is refused. */
export function createFileSpool(path: string): Spool {
  let file: FileHandle | undefined
  let isRecovered = false
  let lines = 0
  const kept = new Map<string, BufferedUsage>()
  let pending: { line: Line; resolve(): void; reject(error: unknown): void }[] = []
  let writing: Promise<void> | undefined

  async function recover(): Promise<BufferedUsage[]> {
    await lockFile(`${path}.lock`)
    const text = await readFile(path, 'utf8').catch((error) => {
      if (error.code === 'ENOENT') return ''
      throw error
    })
    for (const event of readLines(text)) kept.set(nameOf(event), event)
    await rewrite()
    isRecovered = true
    return [...kept.values()]
  }

  /** In another file that takes the place of the first: at every instant one of the two is whole. */
  async function rewrite(): Promise<void> {
    const next = `${path}.next`
    const handle = await open(next, 'w', 0o600)
    try {
      for (const event of kept.values())
        await handle.writeFile(`${JSON.stringify({ event } satisfies Line)}\n`)
      await handle.sync()
    } finally {
      await handle.close()
    }
    await closeFile()
    await rename(next, path)
    await syncFolder(dirname(path))
    file = await open(path, 'a', 0o600)
    lines = kept.size
  }

  async function closeFile(): Promise<void> {
    const open = file
    file = undefined
    await open?.close()
  }

  /** Lines that come in while others are being synced share the next sync. */
  function write(line: Line): Promise<void> {
    return new Promise((resolve, reject) => {
      pending.push({ line, resolve, reject })
      writing ??= writeAll().finally(() => {
        writing = undefined
      })
    })
  }

  async function writeAll(): Promise<void> {
    while (pending.length > 0) {
      const batch = pending
      pending = []
      try {
        if (!isRecovered) throw new Error('the spool is not open')
        // After a failed write the last line may be torn, and nothing may come behind that.
        if (!file) await rewrite()
        await file?.appendFile(batch.map(({ line }) => `${JSON.stringify(line)}\n`).join(''))
        await file?.sync()
        lines += batch.length
        if (lines > kept.size + deadLinesAllowed) await rewrite()
        for (const { resolve } of batch) resolve()
      } catch (error) {
        await closeFile().catch(() => {})
        for (const { reject } of batch) reject(error)
      }
    }
  }

  return {
    recover,
    async append(events) {
      await Promise.all(
        events.map((event) => {
          kept.set(nameOf(event), event)
          return write({ event })
        }),
      )
    },
    async remove(events) {
      const done = events.map(nameOf)
      for (const name of done) kept.delete(name)
      await write({ done })
    },
    async close() {
      await writing
      if (file && kept.size === 0) await file.truncate(0)
      await closeFile()
      isRecovered = false
      await unlockFile(`${path}.lock`)
    },
  }
}

/** So that the new name survives a loss of power, too; not every system can. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch(() => undefined)
  await folder?.sync().catch(() => {})
  await folder?.close()
}
