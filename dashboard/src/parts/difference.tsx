// What a change made of a thing: its values before and after, line by line, those that stayed the same folded away.
import { UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import classes from './difference.module.css'
import { formatCount } from './format.ts'

type Line = { name: string; before: string | undefined; after: string | undefined }

export function Difference({ before, after }: { before: unknown; after: unknown }) {
  const [isWhole, setWhole] = useState(false)
  const lines = computeLines(before, after)
  const changed = lines.filter((line) => line.before !== line.after)
  const same = lines.length - changed.length
  if (lines.length === 0) return <p className={classes.none}>No values were kept of this change.</p>
  return (
    <div className={classes.difference}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Value</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {(isWhole ? lines : changed).map((line) => (
            <tr key={line.name}>
              <th scope="row">{line.name}</th>
              <td className={line.before !== line.after ? classes.before : classes.same}>
                {line.before ?? '—'}
              </td>
              <td className={line.before !== line.after ? classes.after : classes.same}>
                {line.after ?? '—'}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {same > 0 && (
        <UnstyledButton className={classes.more} onClick={() => setWhole(!isWhole)} aria-expanded={isWhole}>
          {isWhole ? 'Only what changed' : `${formatCount(same, 'value')} unchanged`}
        </UnstyledButton>
      )}
    </div>
  )
}

/** Names in the order in which they come, those of before first. */
function computeLines(before: unknown, after: unknown): Line[] {
  const [old, fresh] = [flatten(before), flatten(after)]
  return [...new Set([...old.keys(), ...fresh.keys()])]
    .map((name) => ({ name, before: old.get(name), after: fresh.get(name) }))
    .filter(({ before: was, after: is }) => !isNothing(was) || !isNothing(is))
}

/** An empty list says no more than none. */
const isNothing = (text: string | undefined): boolean => text === undefined || text === '[]' || text === '{}'

/** Values inside others by their way to them: metadata.plan, featureAccess[0].limit. */
function flatten(value: unknown, way = '', found = new Map<string, string>()): Map<string, string> {
  if (value === undefined || value === null) {
    if (way !== '' && value === null) found.set(way, 'null')
    return found
  }
  if (typeof value !== 'object') return found.set(way === '' ? 'value' : way, String(value))
  const entries: [string, unknown][] = Array.isArray(value)
    ? value.map((each, index) => [`${way}[${nameOf(each, index)}]`, each])
    : Object.entries(value).map(([name, each]) => [way === '' ? name : `${way}.${name}`, each])
  if (entries.length === 0 && way !== '') found.set(way, Array.isArray(value) ? '[]' : '{}')
  for (const [next, each] of entries) flatten(each, next, found)
  return found
}

/** Things in a list are compared by their key where they have one, not by their place. */
function nameOf(each: unknown, index: number): string {
  if (each === null || typeof each !== 'object') return String(index)
  const { featureKey, key } = each as { featureKey?: unknown; key?: unknown }
  return typeof featureKey === 'string' ? featureKey : typeof key === 'string' ? key : String(index)
}
