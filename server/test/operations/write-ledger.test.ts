// Writes to ledgers that are gathered: whatever meets in one batch is stored as if each had come alone.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { amountFromNumber } from '../../src/domain/amount.ts'
import { amendTask } from '../../src/domain/ledger/amend.ts'
import { deleteTask } from '../../src/domain/ledger/delete.ts'
import { deleteBonusTask } from '../../src/domain/ledger/delete-bonus.ts'
import { giveTask } from '../../src/domain/ledger/give-bonus.ts'
import { recordTask } from '../../src/domain/ledger/record.ts'
import type { LedgerTask } from '../../src/domain/ledger/task.ts'
import { updateBonusTask } from '../../src/domain/ledger/update-bonus.ts'
import { servicePrincipal } from '../../src/domain/principal.ts'
import { customerHash, hashToUuid, makeOwnedUuid } from '../../src/storage/customers/customer-uid.ts'
import { noon, type Stage, startStage } from '../usage/stage.ts'

let stage: Stage
let featureNo: number
before(async () => {
  stage = await startStage()
  const rows = await stage.service.query(`select feature_no from feature where feature_key = 'calls'`)
  featureNo = Number(rows[0]?.feature_no)
})
after(async () => {
  const differences = await stage.audit()
  await stage.close()
  assert.deepEqual(differences, [])
})

const originOf = (customerId: string) => ({
  principal: servicePrincipal('test', 'test'),
  customerHash: customerHash('test', customerId),
  customerId,
  now: noon,
})

const record = (customerId: string, eventKey: string, amount: number) =>
  recordTask(originOf(customerId), {
    featureKey: 'calls',
    keyHash: hashToUuid(eventKey),
    eventKey,
    metadata: {},
    amount: amountFromNumber(amount),
    sentOccurredAt: undefined,
    enforceLimit: false,
  })

/** In one turn, so that they meet in one batch. */
function write(tasks: LedgerTask<unknown>[]): Promise<PromiseSettledResult<unknown>[]> {
  const { services } = stage.service.instances[0] as Stage['service']['instances'][0]
  return Promise.allSettled(tasks.map((task) => services.writeLedger(task)))
}

const codes = (results: PromiseSettledResult<unknown>[]) =>
  results.map((result) => (result.status === 'rejected' ? result.reason.code : undefined))

/** A customer that nobody changes any more: its link with the provider is made. */
async function makeSettled(): Promise<{ customerId: string; revision: number }> {
  const customerId = await stage.makeCustomer()
  const deadlineAt = Date.now() + 10_000
  for (;;) {
    const rows = await stage.service.query(
      'select revision, provider_customer_id from customer where customer_id = $1',
      [customerId],
    )
    if (rows[0]?.provider_customer_id) return { customerId, revision: Number(rows[0].revision) }
    assert.ok(Date.now() < deadlineAt, 'the customer is not linked')
    await sleep(10)
  }
}

describe('writes that meet in one batch', () => {
  it('give one bonus for one key, and all are answered with it', async () => {
    const { customerId } = await makeSettled()
    const give = (bodyHash: string) =>
      giveTask(originOf(customerId), {
        featureKey: 'calls',
        bonus: { amount: amountFromNumber(5), expiresAt: undefined, reason: undefined, metadata: {} },
        makeBonusId: makeOwnedUuid,
        request: { keyHash: hashToUuid('key'), bodyHash: hashToUuid(bodyHash) },
      })
    const results = await write([give('one'), give('one'), give('other'), give('one')])
    assert.deepEqual(codes(results), [undefined, undefined, 'idempotency_key_reused', undefined])
    assert.equal((await stage.usage(customerId)).bonusRemaining, 5)
  })

  it('leave a bonus deleted that was deleted, whoever updates it behind', async () => {
    const { customerId } = await makeSettled()
    const { bonusId } = (await stage.give(customerId, 5)).body.bonus
    const name = { bonusId, featureNo }
    const nothing = { expiresAt: undefined, reason: undefined, metadata: undefined }
    const results = await write([
      deleteBonusTask(originOf(customerId), name),
      updateBonusTask(originOf(customerId), name, { ...nothing, amount: amountFromNumber(9) }),
      deleteBonusTask(originOf(customerId), name),
      record(customerId, 'e', 12),
    ])
    assert.deepEqual(codes(results), [undefined, 'bonus_not_found', 'bonus_not_found', undefined])
    const { bonusUsed, bonusRemaining } = await stage.usage(customerId)
    assert.deepEqual([bonusUsed, bonusRemaining], [0, 0])
    assert.deepEqual(await stage.audit(), [])
  })

  // An event's id can be told ahead by whoever knows the customer's last one.
  for (const kind of ['amended', 'deleted'] as const) {
    it(`keep an event ${kind} that was recorded just before`, async () => {
      const { customerId, revision } = await makeSettled()
      const name = { eventId: 'evt', featureNo, keyHash: hashToUuid('e'), eventNo: revision + 1 }
      const patch = { occurredAt: undefined, eventKey: undefined, metadata: undefined }
      const edit =
        kind === 'deleted'
          ? deleteTask(originOf(customerId), name)
          : amendTask(originOf(customerId), name, { ...patch, amount: amountFromNumber(7) })
      const results = await write([record(customerId, 'e', 3), edit])
      assert.deepEqual(codes(results), [undefined, undefined])
      assert.equal((await stage.usage(customerId)).used, kind === 'deleted' ? 0 : 7)
      const listed = await stage.request('GET', `/v1/usage?customerId=${customerId}&featureKey=calls`)
      const amounts = listed.body.events.map((event: { amount: number }) => event.amount)
      assert.deepEqual(amounts, kind === 'deleted' ? [] : [7])
      assert.equal((await stage.record(customerId, 'e', { amount: 3 })).body.reason, 'duplicate_event')
    })
  }
})
