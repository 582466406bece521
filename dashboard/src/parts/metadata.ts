// Metadata as text, one line a key, for forms. What would not survive as it is (a line break, a colon in a key, spaces at an
// end) is written in quotes, as in JSON.
const needsQuotes = /[\n\r]|^\s|\s$|^"|^$/

const write = (text: string, isKey: boolean): string =>
  needsQuotes.test(text) || (isKey && text.includes(':')) ? JSON.stringify(text) : text

export const writeMetadata = (metadata: Record<string, string>): string =>
  Object.entries(metadata)
    .map(([key, value]) => `${write(key, true)}: ${write(value, false)}`)
    .join('\n')

/** A line without a colon is a key without a value. */
export function readMetadata(text: string): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return Object.fromEntries(lines.map(readLine))
}

function readLine(line: string): [key: string, value: string] {
  const quoted = /^\s*("(?:[^"\\]|\\.)*")\s*(?::(.*))?$/.exec(line)
  if (quoted !== null) return [unquote(quoted[1] as string), unquote((quoted[2] ?? '').trim())]
  const at = line.indexOf(':')
  return at < 0 ? [line.trim(), ''] : [line.slice(0, at).trim(), unquote(line.slice(at + 1).trim())]
}

function unquote(text: string): string {
  if (!/^".*"$/.test(text)) return text
  try {
    return String(JSON.parse(text))
  } catch {
    return text
  }
}
