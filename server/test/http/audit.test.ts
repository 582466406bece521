// The log of changes: one entry for each change, by whom and from what to what; none for what was refused.
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { startTestService, type TestService } from '../service.ts'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

type Entry = Record<string, unknown> & {
  before: Record<string, unknown> | null
  after: Record<string, unknown> | null
}

let last = 0
async function readNew(): Promise<Entry[]> {
  const entries = await service.query('select * from audit_entry where entry_no > $1 order by entry_no', [
    last,
  ])
  last = Number(entries.at(-1)?.entry_no ?? last)
  return entries as Entry[]
}
beforeEach(() => readNew())

const limited = { featureAccess: [{ featureKey: 'calls', hasAccess: true, limit: 2.5 }] }
const steps: [method: string, path: string, body: object | undefined, action: string, subject: string][] = [
  ['POST', '/v1/features', { featureKey: 'calls', name: 'Calls', type: 'limit' }, 'feature.create', 'calls'],
  ['PUT', '/v1/features/calls', { name: 'API calls' }, 'feature.update', 'calls'],
  ['POST', '/v1/features/calls/archive', { archived: true }, 'feature.archive', 'calls'],
  ['POST', '/v1/features/calls/archive', { archived: false }, 'feature.unarchive', 'calls'],
  ['POST', '/v1/custom-products', { productKey: 'plan', name: 'Plan' }, 'product.create', 'plan'],
  ['PUT', '/v1/products/plan', { name: 'The plan' }, 'product.update', 'plan'],
  ['PUT', '/v1/products/plan/feature-access', limited, 'product.set_feature_access', 'plan'],
  ['POST', '/v1/products/plan/versions', undefined, 'product.create_version', 'plan'],
  ['POST', '/v1/customers', { customerId: 'acme', customProductKeys: ['plan'] }, 'customer.create', 'acme'],
  ['PUT', '/v1/customers/acme', { name: 'Acme' }, 'customer.update', 'acme'],
  ['POST', '/v1/products/plan/archive', { archived: true }, 'product.archive', 'plan'],
  ['POST', '/v1/products/plan/archive', { archived: false }, 'product.unarchive', 'plan'],
  ['DELETE', '/v1/customers/acme', undefined, 'customer.delete', 'acme'],
  ['DELETE', '/v1/features/calls', undefined, 'feature.delete', 'calls'],
]

describe('every change', () => {
  for (const [method, path, body, action, subject] of steps) {
    it(`${method} ${path} leaves one entry: ${action}`, async () => {
      const startedAt = Date.now()
      const answer = await service.request(method, path, { body })
      assert.ok(answer.status < 300, answer.text)
      const entries = await readNew()
      assert.deepEqual(
        entries.map((entry) => [entry.action, entry.subject, entry.environment, entry.request_id]),
        [[action, subject, 'test', answer.headers['x-request-id']]],
      )
      const [entry] = entries
      assert.match(String(entry?.actor), /^key:[0-9a-f-]{36}$/)
      assert.ok(Number(entry?.at) >= startedAt && Number(entry?.at) <= Date.now())
      assert.equal(entry?.before === null, /create/.test(action))
      assert.equal(entry?.after === null, /delete/.test(action))
    })
  }

  it('says from what to what', async () => {
    await service.request('POST', '/v1/features', {
      body: { featureKey: 'sso', name: 'old', type: 'boolean' },
    })
    await service.request('PUT', '/v1/features/sso', { body: { name: 'new' } })
    const entry = (await readNew()).at(-1)
    assert.deepEqual([entry?.before?.name, entry?.after?.name], ['old', 'new'])
  })

  it('of a key is logged, never with the key or its hash', async () => {
    const created = await service.query(`select * from audit_entry where action = 'key.create'`)
    assert.equal(created.length, 3)
    const text = JSON.stringify(await service.query('select * from audit_entry'))
    for (const key of Object.values(service.keys)) assert.ok(!text.includes(key.slice(8, -4)))
    assert.doesNotMatch(text, /[0-9a-f]{64}/)
  })
})

describe('what is refused or only read', () => {
  it('leaves no entry', async () => {
    const { keys, request } = service
    await request('POST', '/v1/features', { body: { featureKey: 'sso', name: 'x', type: 'boolean' } })
    await request('POST', '/v1/features', { body: { featureKey: '!' } })
    await request('PUT', '/v1/features/nothing', { body: { name: 'x' } })
    await request('DELETE', '/v1/customers/nobody')
    await request('POST', '/v1/custom-products', {
      body: { productKey: 'refused', name: 'x', featureAccess: [{ featureKey: 'nothing', hasAccess: true }] },
    })
    await request('POST', '/v1/features', {
      body: { featureKey: 'x', name: 'x', type: 'boolean' },
      key: keys.testRead,
    })
    await request('GET', '/v1/customers')
    assert.deepEqual(await readNew(), [])
  })
})
