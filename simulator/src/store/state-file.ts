// The file of a store in memory: read at the start, written whole and put in place by renaming soon after each change.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createState, type MemoryState } from './memory-state.ts'

/** So long a change may be lost to a crash; a test account can bear it, and a burst of changes is one write. */
const delayMs = 200

type StateFile = {
  read(): MemoryState | undefined
  writeSoon(state: MemoryState): void
  close(state: MemoryState): void
}

function encode(state: MemoryState): string {
  return JSON.stringify(state, (_key, value) => (value instanceof Map ? { map: [...value] } : value))
}

function decode(text: string): MemoryState {
  const isMap = (value: unknown): value is { map: [unknown, unknown][] } =>
    typeof value === 'object' && value !== null && Object.keys(value).join() === 'map'
  const state = JSON.parse(text) as Record<string, unknown>
  const revive = (value: unknown): unknown => (isMap(value) ? new Map(value.map) : value)
  // Only where the state has maps: an object of the account may have a field of that name.
  const parts = state.environments as Record<string, Record<string, unknown>>
  for (const part of Object.values(parts)) {
    for (const [name, value] of Object.entries(part)) part[name] = revive(value)
  }
  return { ...createState(), ...state, deliveries: revive(state.deliveries) } as MemoryState
}

export function openStateFile(path: string): StateFile {
  let timer: NodeJS.Timeout | undefined

  function write(state: MemoryState): void {
    clearTimeout(timer)
    timer = undefined
    writeFileSync(`${path}.new`, encode(state), { mode: 0o600 })
    renameSync(`${path}.new`, path)
  }

  return {
    read() {
      if (!existsSync(path)) return undefined
      try {
        return decode(readFileSync(path, 'utf8'))
      } catch (error) {
        throw new Error(`${path} is not a state that the simulator wrote: ${(error as Error).message}`)
      }
    },
    writeSoon(state) {
      timer ??= setTimeout(() => write(state), delayMs)
    },
    close(state) {
      if (timer !== undefined) write(state)
    },
  }
}
