// The lines of a spool: what came in, less what is done.
import type { BufferedUsage } from '../buffer-options.ts'

export type Line = { event: BufferedUsage } | { done: string[] }

/** What the service knows an event by. */
export const nameOf = ({ customerId, featureKey, eventKey }: BufferedUsage): string =>
  JSON.stringify([customerId, featureKey, eventKey])

/** The events that are not done, oldest first. The last line may be torn: its write was never confirmed to anyone. */
export function readLines(text: string): BufferedUsage[] {
  const kept = new Map<string, BufferedUsage>()
  const whole = text.split('\n')
  whole.pop()
  for (const [index, each] of whole.entries()) {
    const line = parse(each, index)
    if ('event' in line) kept.set(nameOf(line.event), line.event)
    else for (const name of line.done) kept.delete(name)
  }
  return [...kept.values()]
}

function parse(text: string, index: number): Line {
  try {
    const line = JSON.parse(text)
    if (typeof line.event?.eventKey === 'string' || Array.isArray(line.done)) return line
  } catch {
    // Said below, for both kinds of damage.
  }
  throw new Error(`line ${index + 1} of the spool cannot be read; repair or move the file and start again`)
}
