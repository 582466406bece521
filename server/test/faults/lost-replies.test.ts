// Every fifth reply of the database lost after its commit: callers that repeat themselves are counted once, and nobody is lost.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { auditLedger } from '../../src/storage/audit/audit-ledger.ts'
import { type ProxiedService, startProxiedService, type TimedAnswer } from './proxied-service.ts'

let proxied: ProxiedService
before(async () => {
  proxied = await startProxiedService()
})
after(() => proxied.close())

async function askUntilDone(method: string, path: string, body?: object): Promise<TimedAnswer> {
  const deadlineAt = Date.now() + 30_000
  for (;;) {
    const answer = await proxied.ask(method, path, body)
    if (answer.status === 200) return answer
    assert.equal(answer.status, 503, answer.text)
    assert.match(answer.body.error, /\w/)
    assert.ok(Date.now() < deadlineAt, 'never answered')
  }
}

const customers = 5
const callers = 8
const eventsEach = 25

describe('when replies are lost after the commit', () => {
  it('nothing answered is lost and nothing repeated counts twice', async () => {
    await proxied.ask('POST', '/v1/features', { featureKey: 'f', name: 'F', type: 'limit' })
    for (let n = 0; n < customers; n++) await proxied.ask('POST', '/v1/customers', { customerId: `c${n}` })

    let replies = 0
    let lost = 0
    proxied.proxy.loseReplies(() => {
      const isLost = ++replies % 5 === 0
      if (isLost) lost++
      return isLost
    })
    const used = new Map<string, number>()
    let repeated = 0
    const call = async (caller: number) => {
      for (let count = 0; count < eventsEach; count++) {
        const customerId = `c${(caller + count) % customers}`
        const event = { customerId, featureKey: 'f', eventKey: `${caller}-${count}` }
        const { body } = await askUntilDone('POST', '/v1/usage', event)
        if (!body.applied) {
          assert.equal(body.reason, 'duplicate_event')
          repeated++
        }
        used.set(customerId, (used.get(customerId) ?? 0) + 1)
      }
    }
    await Promise.all(Array.from({ length: callers }, (_, caller) => call(caller)))
    proxied.proxy.loseReplies(() => false)

    assert.ok(lost > 20, `only ${lost} of ${replies} replies were lost`)
    assert.ok(repeated > 0, 'no reply to a write was lost')
    for (const [customerId, expected] of used) {
      const { body } = await askUntilDone('GET', `/v1/feature-access?customerId=${customerId}`)
      assert.equal(body.f.usage.used, expected, customerId)
    }
    const differences: string[] = []
    const summary = await auditLedger(proxied.database.connection, (each) =>
      differences.push(JSON.stringify(each)),
    )
    assert.deepEqual([summary.events, differences], [callers * eventsEach, []])
  })
})
