// What callers of a concurrent history know: the things that answers named, and when customers' periods began and end.
import type { Answer } from '../service.ts'
import type { Call, Resolver } from './model-call.ts'
import type { Subject } from './model-steps.ts'

type Named = { id: string; featureKey: Subject['featureKey']; expiresAt?: number | undefined }
type AccessMap = Record<string, { usage?: { lastReset: number; nextReset?: number } }>

export type CallerKnowledge = {
  resolverOf(customerId: string): Resolver
  learn(call: Call, answer: Answer): void
}

const kept = 12

/** `startAt` is what the clock says at the beginning. */
export function createKnowledge(startAt: number): CallerKnowledge {
  const events = new Map<string, Named[]>()
  const bonuses = new Map<string, Named[]>()
  const maps = new Map<string, AccessMap>()
  let now = startAt

  const keep = <T>(lists: Map<string, T[]>, customerId: string, thing: T) =>
    lists.set(customerId, [thing, ...(lists.get(customerId) ?? [])].slice(0, kept))
  const find = (list: Named[] | undefined, n: number) => {
    const named = list?.[n % list.length]
    return named && { modelId: named.id, id: named.id, expiresAt: named.expiresAt }
  }

  const resolverOf = (customerId: string): Resolver => ({
    instant: ({ featureKey }, { from, plus }) =>
      (from === 'now' ? now : (maps.get(customerId)?.[featureKey]?.usage?.[from] ?? now)) + plus,
    event: (n) => find(events.get(customerId), n),
    bonus: (n) => find(bonuses.get(customerId), n),
    subjectOf: (modelId) => {
      const all = [...(events.get(customerId) ?? []), ...(bonuses.get(customerId) ?? [])]
      const named = all.find(({ id }) => id === modelId)
      return named && { customerId, featureKey: named.featureKey }
    },
  })

  function learn({ path, method, body: sent }: Call, { status, body }: Answer): void {
    if (status >= 300) return
    if (path === '/v1/test-clock') now = body.now
    const subject = (sent ?? {}) as Subject
    if (body?.applied === true) {
      keep(events, subject.customerId, { id: body.eventId, featureKey: subject.featureKey })
    }
    if (path === '/v1/usage/batch') {
      for (const [index, item] of (sent as { events: Subject[] }).events.entries()) {
        const result = body.results[index]?.result
        if (result?.applied) {
          keep(events, item.customerId, { id: result.eventId, featureKey: item.featureKey })
        }
      }
    }
    if (method === 'POST' && path === '/v1/bonuses') {
      const { bonusId, featureKey, expiresAt } = body.bonus
      keep(bonuses, subject.customerId, { id: bonusId, featureKey, expiresAt })
    }
    if (body?.featureAccess && body.customerId) maps.set(body.customerId, body.featureAccess)
  }

  return { resolverOf, learn }
}
