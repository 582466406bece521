// What state an API key is in, and how much of its rate limit it uses at the moment.

import type { ApiKey } from '../../api/generated.ts'
import type { Tone } from '../../parts/badge.tsx'
import { formatUntil } from '../../parts/format.ts'

type KeyState = { text: string; tone: Tone; isUsable: boolean }

const soonMs = 7 * 86_400_000

/** Keys live in real time, whatever the test clock says. */
export function computeKeyState({ revokedAt, expiresAt }: ApiKey, now: number): KeyState {
  if (revokedAt !== null) return { text: 'Revoked', tone: 'neutral', isUsable: false }
  if (expiresAt === null) return { text: 'Active', tone: 'green', isUsable: true }
  if (expiresAt <= now) return { text: 'Expired', tone: 'neutral', isUsable: false }
  if (expiresAt - now > soonMs) return { text: 'Active', tone: 'green', isUsable: true }
  return { text: `Ends ${formatUntil(expiresAt, now)}`, tone: 'amber', isUsable: true }
}

export type Limits = { all: number; write: number }

/** Of the two limits the one that is nearer; undefined where there is none. */
export function computeLimitShare(key: ApiKey, limits: Limits): number | undefined {
  const shares = [
    limits.all > 0 ? key.requests10s / limits.all : undefined,
    limits.write > 0 ? key.writes10s / limits.write : undefined,
  ].filter((share) => share !== undefined)
  return shares.length === 0 ? undefined : Math.max(...shares)
}
