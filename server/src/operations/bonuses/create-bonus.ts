// Gives a customer a bonus; with an Idempotency-Key, once however often it is asked for.
import { amountFromNumber } from '../../domain/amount.ts'
import type { BonusOutcome } from '../../domain/ledger/change-bonus.ts'
import { giveTask } from '../../domain/ledger/give-bonus.ts'
import { hashToUuid, makeOwnedUuid } from '../../storage/customers/customer-uid.ts'
import type { Context } from '../context.ts'
import type { Services } from '../services.ts'
import { toOrigin } from '../usage/record-usage.ts'

type Input = {
  customerId: string
  featureKey: string
  amount: number
  expiresAt?: number | undefined
  reason?: string | undefined
  metadata?: Record<string, string> | undefined
}

export function createBonus(
  { writeLedger }: Services,
  context: Context,
  input: Input,
  idempotencyKey: string | undefined,
): Promise<BonusOutcome> {
  const task = giveTask(toOrigin(context, input.customerId), {
    featureKey: input.featureKey,
    bonus: {
      amount: amountFromNumber(input.amount),
      expiresAt: input.expiresAt,
      reason: input.reason,
      metadata: input.metadata ?? {},
    },
    makeBonusId: makeOwnedUuid,
    request:
      idempotencyKey === undefined
        ? undefined
        : { keyHash: hashToUuid(idempotencyKey), bodyHash: hashBody(input) },
  })
  return writeLedger(task)
}

/** The order in which metadata was written makes no other body. */
const hashBody = (input: Input): string =>
  hashToUuid(JSON.stringify({ ...input, metadata: input.metadata && Object.entries(input.metadata).sort() }))
