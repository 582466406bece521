// Values that stand in a file as text.

export function readNumber(text: string): number {
  const value = Number(text)
  if (!/^-?\d+(\.\d+)?$/.test(text.trim()))
    throw new Error(`has ${JSON.stringify(text)} where a number belongs`)
  return value
}

/** Unix milliseconds, or a date with its offset: 2026-01-31T12:00:00Z. */
export function readInstant(text: string): number {
  if (/^\d{10,15}$/.test(text)) return Number(text)
  const form = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/
  const at = form.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(at))
    throw new Error(
      `has ${JSON.stringify(text)} where Unix milliseconds or a date as 2026-01-31T12:00:00Z belong`,
    )
  return at
}

export function readObject(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Error(`has ${JSON.stringify(text.slice(0, 60))} where a JSON object belongs`)
  }
}
