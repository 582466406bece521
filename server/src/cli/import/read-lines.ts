// Reads a file line by line in constant memory, with the place of each line, so that reading can go on from there.
import { open } from 'node:fs/promises'

/** `end` is the offset in bytes after the line; `text` is undefined for a line that is too long to be one. */
export type Line = { text: string | undefined; number: number; end: number }

export type Place = { offset: number; line: number }

const chunkSize = 256 * 1024
export const longestLine = 1024 * 1024

export async function* readLines(path: string, from: Place): AsyncGenerator<Line> {
  const file = await open(path, 'r')
  try {
    const chunk = Buffer.allocUnsafe(chunkSize)
    let { offset: position, line: number } = from
    let parts: Buffer[] = []
    let length = 0
    const add = (part: Buffer) => {
      length += part.length
      // Of a line that is too long nothing is kept but its length.
      if (length <= longestLine) parts.push(Buffer.from(part))
      else parts = []
    }
    const finish = (end: number): Line => {
      const text = length > longestLine ? undefined : toText(Buffer.concat(parts))
      parts = []
      length = 0
      return { text, number: number++, end }
    }
    for (;;) {
      const { bytesRead } = await file.read(chunk, 0, chunkSize, position)
      if (bytesRead === 0) break
      let start = 0
      for (;;) {
        const at = chunk.subarray(0, bytesRead).indexOf(0x0a, start)
        if (at === -1) break
        add(chunk.subarray(start, at))
        start = at + 1
        yield finish(position + start)
      }
      add(chunk.subarray(start, bytesRead))
      position += bytesRead
    }
    if (length > 0) yield finish(position)
  } finally {
    await file.close()
  }
}

/** Without the mark that some programs put before a file, and without the other half of their line ends. */
const toText = (bytes: Buffer): string =>
  bytes
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .replace(/\r$/, '')
