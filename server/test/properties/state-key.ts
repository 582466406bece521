// A state of the reference model as a text: two states with the same text answer alike from now on. Of events and bonuses
// only what can change after they were made is written, since their ids tell the rest.
import type { Bonus, State, UsageEvent } from './reference-state.ts'

export function writeStateKey(state: State): string {
  const { frozenAt, features, products, customers, events, bonuses, draws, idempotencyKeys } = state
  return [
    frozenAt,
    ...features.map((feature) => JSON.stringify(feature)).sort(),
    ...products.map((product) => JSON.stringify(product)).sort(),
    ...customers.map((customer) => JSON.stringify(customer)),
    ...events.map(writeEvent).sort(),
    ...bonuses.map(writeBonus).sort(),
    ...draws.map(({ bonusId, amount, at }) => `${bonusId} ${amount} ${at}`),
    ...idempotencyKeys.map(({ key, answer }) => `${key} ${JSON.stringify(answer)}`).sort(),
  ].join('\n')
}

const writeEvent = ({ id, amount, occurredAt, isDeleted, eventKey, keysTaken, metadata }: UsageEvent) =>
  `${id} ${amount} ${occurredAt} ${isDeleted} ${eventKey} ${keysTaken.join(' ')} ${JSON.stringify(metadata)}`

const writeBonus = ({ id, amount, updatedAt, expiresAt, reason, metadata }: Bonus) =>
  `${id} ${amount} ${updatedAt} ${expiresAt} ${reason} ${JSON.stringify(metadata)}`
