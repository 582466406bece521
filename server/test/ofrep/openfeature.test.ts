// The official OpenFeature SDK with its OFREP provider: what its users see, and the program of the document.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { OFREPApi } from '@openfeature/ofrep-core'
import { OFREPProvider } from '@openfeature/ofrep-provider'
import { type Client, OpenFeature } from '@openfeature/server-sdk'
import { startOfrepFixture } from './ofrep-fixture.ts'

let fixture: Awaited<ReturnType<typeof startOfrepFixture>>
let flags: Client
let customer: { targetingKey: string }

before(async () => {
  fixture = await startOfrepFixture()
  const headers: [string, string][] = [['x-api-key', fixture.service.keys.testRead]]
  await OpenFeature.setProviderAndWait('ours', new OFREPProvider({ baseUrl: fixture.url, headers }))
  flags = OpenFeature.getClient('ours')
  customer = { targetingKey: await fixture.makeCustomer() }
})
after(async () => {
  await OpenFeature.close()
  await fixture.close()
})

describe('the OpenFeature server SDK', () => {
  it('evaluates features and figures, and sees each change at once', async () => {
    assert.equal(await flags.getBooleanValue('calls', false, customer), true)
    assert.equal(await flags.getNumberValue('calls@remaining', -1, customer), 10)
    await fixture.record(customer.targetingKey, 'sdk-1', { amount: 10 })
    assert.equal(await flags.getBooleanValue('calls', true, customer), false)
    assert.equal(await flags.getNumberValue('calls@used', -1, customer), 10)
    assert.equal(await flags.getNumberValue('tokens@limit', -1, customer), Number.MAX_SAFE_INTEGER)
  })

  it('gives reason, variant and metadata', async () => {
    const details = await flags.getBooleanDetails('reports', true, customer)
    assert.equal(details.value, false)
    assert.equal(details.reason, 'TARGETING_MATCH')
    assert.equal(details.variant, 'no_access')
    assert.equal(details.flagMetadata.hasAccess, false)
    assert.equal(details.errorCode, undefined)
  })

  const refused: [what: string, key: string, context: Record<string, string>, errorCode: string][] = [
    ['an unknown flag', 'absent', { targetingKey: 'customer-1' }, 'FLAG_NOT_FOUND'],
    ['a missing target', 'calls', {}, 'TARGETING_KEY_MISSING'],
    ['an unknown customer', 'calls', { targetingKey: 'nobody' }, 'INVALID_CONTEXT'],
  ]
  for (const [what, key, context, errorCode] of refused)
    it(`falls back to the default on ${what}, and says so`, async () => {
      const details = await flags.getBooleanDetails(key, true, context)
      assert.deepEqual([details.value, details.reason, details.errorCode], [true, 'ERROR', errorCode])
    })

  it('falls back to the default when the type is another', async () => {
    const { value, errorCode } = await flags.getStringDetails('calls', 'x', customer)
    assert.deepEqual([value, errorCode], ['x', 'TYPE_MISMATCH'])
  })

  it('evaluates in bulk, and hears that nothing changed', async () => {
    const api = new OFREPApi(fixture.url)
    const headers: [string, string][] = [['Authorization', `Bearer ${fixture.service.keys.testRead}`]]
    const first = await api.postBulkEvaluateFlags({ context: customer }, { headers })
    assert.equal(first.httpStatus, 200)
    const etag = first.httpResponse.headers.get('etag') ?? ''
    const again = await api.postBulkEvaluateFlags(
      { context: customer },
      { headers: [...headers, ['If-None-Match', etag]] },
    )
    assert.equal(again.httpStatus, 304)
  })
})

describe('docs/openfeature.md', () => {
  // Beside the packages, so that the program finds them.
  const folder = mkdtempSync(join(import.meta.dirname, 'snippet-'))
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('has a program that runs as it stands there', async () => {
    const text = readFileSync(join(import.meta.dirname, '../../../docs/openfeature.md'), 'utf8')
    const program = /```ts\n(.*?)```/s.exec(text)?.[1] ?? assert.fail('there is no program')
    const path = join(folder, 'program.ts')
    writeFileSync(path, program)
    await fixture.makeFeature('api_calls')
    const featureAccess = [
      { featureKey: 'api_calls', hasAccess: true, limit: 1000 },
      { featureKey: 'sso', hasAccess: true },
    ]
    await fixture.makeProduct('documented', featureAccess)
    await fixture.makeCustomer({ customerId: 'acme', customProductKeys: ['documented'] })
    const env = {
      ...process.env,
      TOLLKEEPER_URL: fixture.url,
      TOLLKEEPER_API_KEY: fixture.service.keys.testRead,
    }
    const { stdout } = await promisify(execFile)(process.execPath, [path], { env })
    assert.equal(stdout, 'true\n1000\ntrue allowed true\n')
  })
})
