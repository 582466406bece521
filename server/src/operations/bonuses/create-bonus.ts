// Gives a customer a bonus; with an Idempotency-Key, once however often it is asked for.
import { randomBytes } from 'node:crypto'
import { amountFromNumber } from '../../domain/amount.ts'
import type { Caller } from '../../domain/caller.ts'
import { getFeature } from '../../domain/catalogue/catalogue.ts'
import { conflict, invalid } from '../../domain/errors.ts'
import type { Bonus } from '../../domain/ledger/state.ts'
import { customerUid, hashToUuid } from '../../storage/customers/customer-uid.ts'
import type { Sql } from '../../storage/database.ts'
import { findBonusRequest, insertBonus, insertBonusRequest } from '../../storage/ledger/bonuses.ts'
import type { Services } from '../services.ts'
import { type BonusChange, type BonusSubject, changeBonus } from './change-bonus.ts'

type Input = {
  customerId: string
  featureKey: string
  amount: number
  expiresAt?: number | undefined
  reason?: string | undefined
  metadata?: Record<string, string> | undefined
}

/** `toAnswer` makes what is answered, and kept to be answered again. */
export async function createBonus<Answer>(
  services: Services,
  caller: Caller,
  input: Input,
  idempotencyKey: string | undefined,
  toAnswer: (change: BonusChange) => Answer,
): Promise<Answer> {
  const keyHash = idempotencyKey === undefined ? undefined : hashToUuid(idempotencyKey)
  const request = keyHash && { keyHash, bodyHash: hashBody(input) }
  const known = request && (await findAnswer(services.database.pool, caller, request))
  if (known) return known.answer as Answer
  const catalogue = await services.catalogues.get(caller.environment, caller.catalogueRevision)
  const feature = getFeature(catalogue, input.featureKey)
  const subject = {
    customerUid: customerUid(caller.environment, input.customerId),
    customerId: input.customerId,
    feature,
  }
  const { answer, publish } = await services.database
    .inTransaction(async (sql) => {
      const change = await changeBonus(services, sql, caller, subject, (sql, { state }, eventNo) =>
        insert(sql, caller, subject, input, state, eventNo),
      )
      const answer = toAnswer(change)
      if (
        !request ||
        (await insertBonusRequest(sql, caller.environment, subject.customerUid, { ...request, answer }))
      ) {
        return { answer, publish: change.publish }
      }
      // The same request was faster: ours is undone, and its answer is found by asking again.
      throw new RequestTaken()
    })
    .catch(async (error) => {
      if (!(error instanceof RequestTaken)) throw error
      const answer = await createBonus(services, caller, input, idempotencyKey, toAnswer)
      return { answer, publish: () => {} }
    })
  publish()
  return answer
}

class RequestTaken extends Error {}

/** The order in which metadata was written makes no other body. */
const hashBody = (input: Input): string =>
  hashToUuid(JSON.stringify({ ...input, metadata: input.metadata && Object.entries(input.metadata).sort() }))

async function findAnswer(sql: Sql, caller: Caller, request: { keyHash: string; bodyHash: string }) {
  const known = await findBonusRequest(sql, caller.environment, request.keyHash)
  if (known && known.bodyHash !== request.bodyHash) {
    throw conflict('idempotency_key_reused', 'Idempotency-Key was used for another request.')
  }
  return known
}

async function insert(
  sql: Sql,
  { now }: Caller,
  { customerUid, feature }: BonusSubject,
  input: Input,
  state: Parameters<Parameters<typeof changeBonus>[4]>[1]['state'],
  eventNo: number,
) {
  if (input.expiresAt !== undefined && input.expiresAt <= now)
    throw invalid('expiresAt must lie in the future.')
  const bonus: Bonus = {
    bonusId: makeBonusId(eventNo),
    featureNo: feature.featureNo,
    amount: amountFromNumber(input.amount),
    drawn: 0n,
    createdAt: now,
    updatedAt: now,
    expiresAt: input.expiresAt,
    reason: input.reason,
    metadata: input.metadata ?? {},
  }
  await insertBonus(sql, customerUid, bonus)
  return {
    state: { ...state, bonuses: [...state.bonuses, bonus] },
    bonus,
    change: { action: 'bonus.create', after: bonus },
  }
}

/** A UUID (version 8) whose order is the order in which a customer's bonuses were made. */
function makeBonusId(eventNo: number): string {
  const place = eventNo.toString(16).padStart(13, '0')
  const random = randomBytes(9).toString('hex')
  const variant = '89ab'[Number.parseInt(random[2] as string, 16) % 4]
  return `${place.slice(0, 8)}-${place.slice(8, 12)}-8${place[12]}${random.slice(0, 2)}-${variant}${random.slice(3, 6)}-${random.slice(6, 18)}`
}
