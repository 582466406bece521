// Comma-separated values: reading one record, and writing one.

/** Whether a quoted value goes on in the next line. */
export const goesOn = (text: string): boolean => (text.match(/"/g)?.length ?? 0) % 2 === 1

/** The values of a record whose quotes are all closed. */
export function parseRecord(text: string): string[] {
  const values: string[] = []
  const form = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/gy
  for (;;) {
    const match = form.exec(text)
    if (!match) throw new Error('has a quote in the middle of a value')
    values.push(match[1] === undefined ? (match[2] as string) : match[1].replaceAll('""', '"'))
    if (match[3] === '') return values
  }
}

export const writeRecord = (values: readonly unknown[]): string => values.map(writeValue).join(',')

function writeValue(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return writeValue(value.join(' '))
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  return /[",\r\n]/.test(text) || /^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
