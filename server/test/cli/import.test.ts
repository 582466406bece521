// tollkeeper import: customers and usage from files, and customers from the payment provider.
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import {
  createServer,
  request as forward,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import Stripe from 'stripe'
import { startTestService, type TestService } from '../service.ts'
import { runCommand, spawnCommand } from './command.ts'

let service: TestService
const folder = mkdtempSync(join(tmpdir(), 'tollkeeper-import-'))
before(async () => {
  service = await startTestService()
  const make = (path: string, body: unknown) => service.request('POST', path, { body })
  await make('/v1/features', { featureKey: 'calls', name: 'Calls', type: 'limit' })
  await make('/v1/custom-products', { productKey: 'team', name: 'Team' })
})
after(async () => {
  rmSync(folder, { recursive: true, force: true })
  await service.close()
})

const variables = (url = service.urls[0] as string) => ({
  TOLLKEEPER_API_KEY: service.keys.test,
  TOLLKEEPER_URL: url,
})
const importing = (...words: string[]) => runCommand(['import', ...words], variables(), folder)

const put = (name: string, lines: string[]) => writeFileSync(join(folder, name), `${lines.join('\n')}\n`)
const get = async (customerId: string) => (await service.request('GET', `/v1/customers/${customerId}`)).body
const countEvents = async () => Number((await service.query('select count(*) from usage_event'))[0]?.count)

describe('import customers', () => {
  it('takes CSV with quotes, line breaks, metadata and products, and reports bad lines with their numbers', async () => {
    put('customers.csv', [
      '\uFEFFcustomerId,name,email,usageStartedAt,customProductKeys,metadata.plan',
      'ann,"Ann ""the first"", Co",ann@x.test,2026-01-31T12:00:00Z,team,"gold,',
      'and more"',
      'bob,Bob,,1767225600000,,',
      'cy,Cy,nowhere,,,',
      'dee,Dee',
      'eve,Eve,eve@x.test,soon,,',
      'fay,Fay,,,nothing,',
      '',
      'gus,Gus,,,,\r',
    ])
    const { code, stdout, stderr } = await importing('customers', 'customers.csv')
    assert.equal(code, 1)
    assert.equal(stdout, 'Imported 3 customers, 3 of them new; 4 lines were refused.\n')
    assert.match(stderr, /^line 5: email must be an email address, but "nowhere" came\.$/m)
    assert.match(stderr, /^line 6: has 2 values, but the first line names 6$/m)
    assert.match(stderr, /^line 7: has "soon" where Unix milliseconds or a date/m)
    assert.match(stderr, /^line 8: customProductKeys\[0\]: there is no product "nothing"\.$/m)
    const ann = await get('ann')
    assert.deepEqual(
      [ann.name, ann.usageStartedAt, ann.metadata, ann.products[0].key],
      ['Ann "the first", Co', Date.UTC(2026, 0, 31, 12), { plan: 'gold,\nand more' }, 'team'],
    )
    assert.equal((await get('gus')).name, 'Gus')
  })

  it('is the same when done again, updates unless told otherwise, and says what it knows not', async () => {
    put('again.ndjson', ['{"customerId":"bob","name":"Robert"}', '{"customerId":"new"}', 'nonsense', '[1]'])
    const kept = await importing('customers', 'again.ndjson', '--if-exists', 'return', '--json')
    assert.deepEqual(JSON.parse(kept.stdout), { imported: 2, isNew: 1, refused: 2 })
    assert.match(kept.stderr, /^line 3: is not JSON\nline 4: is not a JSON object$/m)
    assert.equal((await get('bob')).name, 'Bob')
    assert.match(
      (await importing('customers', 'again.ndjson')).stdout,
      /^Imported 2 customers, 0 of them new/,
    )
    assert.equal((await get('bob')).name, 'Robert')
    const refused = await importing('customers', 'again.ndjson', '--if-exists', 'refuse')
    assert.match(refused.stderr, /^line 1: customerId "bob" is taken/m)
    put('columns.csv', ['customerId,colour', 'x,red'])
    const unknown = await importing('customers', 'columns.csv')
    assert.deepEqual([unknown.code, unknown.stdout], [1, ''])
    assert.match(unknown.stderr, /names the column "colour"; known are customerId, name/)
  })
})

describe('import usage', () => {
  const lines = Array.from({ length: 1234 }, (_, index) => `ann,calls,${index % 7},2026-03-01T00:00:00Z`)

  it('counts each line once however often the file is imported, with and without keys', async () => {
    put('usage.csv', ['customerId,featureKey,amount,occurredAt', ...lines])
    const first = await importing('usage', 'usage.csv')
    assert.deepEqual(
      [first.code, first.stdout],
      [0, 'Imported 1234 events, 1234 of them new; nothing was refused.\n'],
    )
    assert.ok(!existsSync(join(folder, 'usage.csv.progress')))
    const again = await importing('usage', 'usage.csv')
    assert.match(again.stdout, /^Imported 1234 events, 0 of them new/)
    assert.equal(await countEvents(), 1234)
    put('keyed.ndjson', [
      '{"customerId":"ann","featureKey":"calls","eventKey":"k1","amount":2}',
      '{"customerId":"ann","featureKey":"calls","eventKey":"k1","amount":3}',
      '{"customerId":"nobody","featureKey":"calls","eventKey":"k2"}',
    ])
    const keyed = await importing('usage', 'keyed.ndjson')
    assert.equal(keyed.code, 1)
    assert.match(keyed.stderr, /^line 2: eventKey "k1" was used/m)
    assert.match(keyed.stderr, /^line 3: customerId: There is no customer "nobody"\.$/m)
  })

  it('goes on where it was stopped, and loses and doubles nothing', async () => {
    const before = await countEvents()
    const many = Array.from({ length: 3000 }, (_, index) => ({
      customerId: 'bob',
      featureKey: 'calls',
      eventKey: `many-${index}`,
    }))
    put(
      'many.ndjson',
      many.map((each) => JSON.stringify(each)),
    )
    // In front of the service, something that dies after a few batches.
    let passed = 0
    const gate = await openGate(service.urls[0] as string, (incoming) => {
      if (passed++ < 8) return false
      incoming.socket.destroy()
      gate.server.close()
      return true
    })
    const failed = await runCommand(['import', 'usage', 'many.ndjson'], variables(gate.url), folder)
    assert.equal(failed.code, 1)
    assert.ok(existsSync(join(folder, 'many.ndjson.progress')), failed.stderr)
    const kept = (await countEvents()) - before
    assert.ok(kept > 0 && kept < 3000, `${kept}`)
    gate.server.close()
    const resumed = await importing('usage', 'many.ndjson')
    assert.equal(resumed.code, 0, resumed.stderr)
    assert.match(resumed.stderr, /^Going on from line [1-9]\d{2,}; /m)
    assert.match(resumed.stdout, /^Imported 3000 events/)
    assert.equal(await countEvents(), before + 3000)
    assert.ok(!existsSync(join(folder, 'many.ndjson.progress')))
  })

  it('finishes what is under way on a signal, and goes on afterwards', async () => {
    const before = await countEvents()
    put('stopped.csv', [
      'customerId,featureKey,eventKey',
      ...Array.from({ length: 4000 }, (_, index) => `bob,calls,s${index}`),
    ])
    const command = spawnCommand(['import', 'usage', 'stopped.csv'], variables(), folder)
    const deadlineAt = Date.now() + 30_000
    while (!existsSync(join(folder, 'stopped.csv.progress')) && Date.now() < deadlineAt)
      await new Promise((resolve) => setTimeout(resolve, 5))
    command.child.kill('SIGINT')
    const { code, stderr } = await command.ended
    assert.equal(code, 1)
    assert.match(stderr, /^Stopped at line \d+: run it again to go on\.$/m)
    assert.equal((await importing('usage', 'stopped.csv')).code, 0)
    assert.equal(await countEvents(), before + 4000)
  })

  it('waits when it is told to', async () => {
    put(
      'limited.ndjson',
      Array.from({ length: 600 }, (_, index) => JSON.stringify({ customerId: `c${index}` })),
    )
    let asked = 0
    const gate = await openGate(service.urls[0] as string, (_incoming, outgoing) => {
      if (asked++ >= 4) return false
      outgoing.writeHead(429, { 'retry-after': '1' }).end('{"error":"Too many requests."}')
      return true
    })
    const words = ['import', 'customers', 'limited.ndjson']
    const { code, stdout, stderr } = await runCommand(words, variables(gate.url), folder)
    gate.server.close()
    assert.equal(code, 0, stderr)
    assert.match(stdout, /^Imported 600 customers, 600 of them new/)
    assert.ok(asked >= 10)
  })
})

describe('import provider', () => {
  it('takes over customers with their subscriptions, by the id that is theirs, and is the same again', async () => {
    const { url, secrets } = (service.instances[0] ?? assert.fail()).simulatorAccess
    const { hostname, port } = new URL(url)
    const stripe = new Stripe(secrets.test.secretKey, { host: hostname, port, protocol: 'http' })
    const product = await stripe.products.create({
      name: 'Gold',
      default_price_data: { currency: 'usd', unit_amount: 900, recurring: { interval: 'month' } },
    })
    const made = await stripe.customers.create({
      name: 'Hal',
      email: 'hal@x.test',
      metadata: { user_id: 'u-1' },
    })
    await stripe.subscriptions.create({
      customer: made.id,
      items: [{ price: product.default_price as string }],
      trial_period_days: 14,
    })
    const nameless = await stripe.customers.create({ name: 'Ida' })
    const words = ['provider', '--customer-id', 'metadata.user_id', '--products']
    const { code, stderr } = await importing(...words)
    assert.equal(code, 1)
    assert.match(stderr, new RegExp(`^${nameless.id}: it has no metadata\\.user_id\\.$`, 'm'))
    const hal = await get('u-1')
    assert.deepEqual(
      [hal.name, hal.email, hal.providerCustomerId, hal.products[0].key],
      ['Hal', 'hal@x.test', made.id, 'gold'],
    )
    await stripe.customers.update(nameless.id, { metadata: { user_id: 'u-2' } })
    const again = await importing(...words, '--json')
    assert.equal(again.code, 0, again.stderr)
    assert.equal(JSON.parse(again.stdout).isNew, 1)
    assert.equal((await get('u-2')).providerCustomerId, nameless.id)
  })
})

type Refuse = (incoming: IncomingMessage, outgoing: ServerResponse) => boolean

/** Something between the command and the service; `refuse` says whether it has dealt with a request itself. */
async function openGate(target: string, refuse: Refuse): Promise<{ url: string; server: Server }> {
  const { hostname, port } = new URL(target)
  const server = createServer((incoming, outgoing) => {
    if (refuse(incoming, outgoing)) return
    const { method, url: path, headers } = incoming
    const asked = forward({ hostname, port, method, path, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode as number, answer.headers)
      answer.pipe(outgoing)
    })
    incoming.pipe(asked)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}
