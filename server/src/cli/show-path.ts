// Paths as a person at a terminal would write them.
import { relative } from 'node:path'

export function showPath(path: string): string {
  const near = relative(process.cwd(), path)
  return near === '' || near.startsWith('..') ? path : near
}
