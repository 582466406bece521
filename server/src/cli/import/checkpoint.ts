// How far an import has come, kept beside its file: whoever starts it again goes on from there.
import { hash } from 'node:crypto'
import { open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { CommandError } from '../command-error.ts'
import type { Place } from './read-lines.ts'

export type Progress = Place & { done: number; refused: number; isNew: number }

export type Checkpoint = {
  begin: Progress
  size: number
  save(progress: Progress): Promise<void>
  remove(): Promise<void>
}

const nothing: Progress = { offset: 0, line: 1, done: 0, refused: 0, isNew: 0 }

export async function openCheckpoint(path: string, restart: boolean): Promise<Checkpoint> {
  const file = `${path}.progress`
  const { size } = await stat(path)
  const identity = `${size} ${await readBeginning(path)}`
  const kept = restart ? undefined : await readKept(file)
  const begin = kept?.identity === identity ? kept.progress : nothing
  return {
    begin,
    size,
    save: async (progress) => {
      try {
        await writeFile(`${file}.next`, `${JSON.stringify({ identity, progress })}\n`)
        await rename(`${file}.next`, file)
      } catch (error) {
        throw new CommandError(`${file} cannot be written: ${(error as Error).message}.`)
      }
    },
    remove: () => rm(file, { force: true }),
  }
}

type Kept = { identity: string; progress: Progress }

/** One of another file, or one that cannot be read, counts for nothing: importing again is safe. */
async function readKept(file: string): Promise<Kept | undefined> {
  try {
    const kept = JSON.parse(await readFile(file, 'utf8')) as Kept
    const numbers = Object.keys(nothing).map((name) => kept.progress[name as keyof Progress])
    return numbers.every(Number.isSafeInteger) ? kept : undefined
  } catch {
    return undefined
  }
}

async function readBeginning(path: string): Promise<string> {
  const file = await open(path, 'r')
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(4096), 0, 4096, 0)
    return hash('sha256', buffer.subarray(0, bytesRead))
  } finally {
    await file.close()
  }
}
