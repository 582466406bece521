// The kinds of what will happen ahead of the test clock, in words and colours.
import type { Tone } from '../../parts/badge.tsx'

export const markKinds: Record<string, { name: string; tone: Tone; colour: string }> = {
  reset: { name: 'Usage reset', tone: 'accent', colour: 'var(--accent)' },
  renewal: { name: 'Renewal', tone: 'green', colour: 'var(--green-ink)' },
  trial_end: { name: 'Trial ends', tone: 'amber', colour: 'var(--amber)' },
  bonus_expiry: { name: 'Bonus expires', tone: 'violet', colour: 'var(--violet)' },
  cancellation: { name: 'Subscription ends', tone: 'red', colour: 'var(--red)' },
}

export const kindOf = (kind: string) =>
  markKinds[kind] ?? { name: kind, tone: 'neutral' as const, colour: 'var(--ink-soft)' }
