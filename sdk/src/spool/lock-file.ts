// A lock on a file, held by a process and left behind by none that lives.
import { readFile, rm, writeFile } from 'node:fs/promises'

/** In a container every start may have the same process id: then only this list tells who holds a lock. */
const held = new Set<string>()

export async function lockFile(path: string): Promise<void> {
  for (let tries = 0; tries < 3; tries++) {
    try {
      if (held.has(path)) break
      await writeFile(path, String(process.pid), { flag: 'wx', mode: 0o600 })
      held.add(path)
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      const holder = Number(await readFile(path, 'utf8').catch(() => ''))
      if (holder !== process.pid && isAlive(holder)) break
      await rm(path, { force: true })
    }
  }
  throw new Error(`${path} is held by another buffer: give each process a file of its own`)
}

export async function unlockFile(path: string): Promise<void> {
  if (held.delete(path)) await rm(path, { force: true })
}

function isAlive(processId: number): boolean {
  if (!(processId > 0)) return false
  try {
    process.kill(processId, 0)
    return true
  } catch (error) {
    // One that belongs to another user lives as well.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
