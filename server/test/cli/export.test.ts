// tollkeeper export: lists as lines, which import takes again.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { startTestService, type TestService } from '../service.ts'
import { runCommand } from './command.ts'

let service: TestService
const folder = mkdtempSync(join(tmpdir(), 'tollkeeper-export-'))
const start = Date.UTC(2026, 0, 1)
before(async () => {
  service = await startTestService()
  for (const key of [service.keys.test, service.keys.live]) await stock(key)
  const make = async (path: string, body: unknown) =>
    assert.ok((await service.request('POST', path, { body })).status < 300)
  const ids = Array.from({ length: 120 }, (_, index) => `c${index}`)
  await make('/v1/customers/batch', { customers: ids.slice(0, 60).map((customerId) => ({ customerId })) })
  await make('/v1/customers/batch', { customers: ids.slice(60).map((customerId) => ({ customerId })) })
  await make('/v1/customers', {
    customerId: 'odd, "one"',
    name: 'Odd, "One"',
    email: 'odd@x.test',
    metadata: { note: 'a,b' },
    usageStartedAt: start,
    customProductKeys: ['team'],
  })
  const event = (index: number) => ({
    customerId: ids[index % 3],
    featureKey: 'calls',
    eventKey: `e${index}`,
    amount: index / 10,
    occurredAt: start + index * 60_000,
    metadata: index === 7 ? { line: 'a\nb' } : {},
  })
  for (let from = 0; from < 300; from += 100)
    await make('/v1/usage/batch', { events: Array.from({ length: 100 }, (_, index) => event(from + index)) })
  await make('/v1/bonuses', { customerId: 'c0', featureKey: 'calls', amount: 5, reason: 'sorry' })
})
after(async () => {
  rmSync(folder, { recursive: true, force: true })
  await service.close()
})

async function stock(key: string): Promise<void> {
  await service.request('POST', '/v1/features', {
    key,
    body: { featureKey: 'calls', name: 'Calls', type: 'limit' },
  })
  await service.request('POST', '/v1/custom-products', { key, body: { productKey: 'team', name: 'Team' } })
}

const run = (words: string[], key = service.keys.testRead) =>
  runCommand(words, { TOLLKEEPER_API_KEY: key, TOLLKEEPER_URL: service.urls[0] as string }, folder)

const linesOf = (text: string) => text.trimEnd().split('\n')

describe('export', () => {
  it('writes every customer, and the other environment imports them as they are', async () => {
    for (const format of ['csv', 'ndjson']) {
      const file = `customers.${format}`
      const { code, stdout, stderr } = await run(['export', 'customers', '--format', format, '--out', file])
      assert.deepEqual([code, stdout], [0, `Wrote 121 lines to ${file}.\n`], stderr)
      const text = readFileSync(join(folder, file), 'utf8').replaceAll(/cus_\w+/g, '')
      // Of another environment, so without the links of this one.
      const plain = text.replaceAll(/"providerCustomerId":"",?/g, '')
      const copy = join(folder, `copy.${format}`)
      writeFileSync(copy, plain.replaceAll(',}', '}'))
      const imported = await run(['import', 'customers', copy], service.keys.live)
      assert.equal(imported.code, 0, imported.stderr)
      const odd = await service.request('GET', `/v1/customers/${encodeURIComponent('odd, "one"')}`, {
        key: service.keys.live,
      })
      const { name, email, metadata, usageStartedAt, products } = odd.body
      assert.deepEqual(
        [name, email, metadata, usageStartedAt, products[0].key],
        ['Odd, "One"', 'odd@x.test', { note: 'a,b' }, start, 'team'],
      )
    }
  })

  it('writes every event once, of all customers, of one, and of a span of time', async () => {
    const all = linesOf((await run(['export', 'usage'])).stdout).map((line) => JSON.parse(line))
    assert.deepEqual(
      all.map(({ eventKey }) => eventKey).sort(),
      Array.from({ length: 300 }, (_, index) => `e${index}`).sort(),
    )
    const one = await run([
      'export',
      'usage',
      '--customer',
      'c1',
      '--from',
      '2026-01-01',
      '--to',
      '2026-01-01T01:00:00Z',
    ])
    assert.equal(linesOf(one.stdout).length, 20)
    const csv = await run(['export', 'usage', '--format', 'csv', '--out', 'usage.csv'])
    assert.equal(csv.code, 0)
    const imported = await run(['import', 'usage', 'usage.csv'], service.keys.live)
    assert.match(imported.stdout, /^Imported 300 events, 300 of them new; nothing was refused/)
    const access = await service.request('GET', '/v1/usage?customerId=c1&limit=100', {
      key: service.keys.live,
    })
    const seven = access.body.events.find((each: { eventKey: string }) => each.eventKey === 'e7')
    assert.deepEqual(
      [seven.amount, seven.metadata, seven.occurredAt],
      [0.7, { line: 'a\nb' }, start + 420_000],
    )
  })

  it('writes bonuses and the catalogue', async () => {
    const bonuses = linesOf((await run(['export', 'bonuses'])).stdout).map((line) => JSON.parse(line))
    assert.deepEqual(
      bonuses.map(({ customerId, amount, remainingAmount, reason }) => [
        customerId,
        amount,
        remainingAmount,
        reason,
      ]),
      [['c0', 5, 5, 'sorry']],
    )
    const catalogue = JSON.parse((await run(['export', 'catalogue'])).stdout)
    assert.deepEqual(Object.keys(catalogue.features), ['calls'])
    assert.deepEqual(catalogue.products.team, { name: 'Team', access: {} })
  })

  it('stops quietly when its reader has seen enough, and fails in a sentence when there is nobody', async () => {
    const program = join(import.meta.dirname, '../../src/cli/tollkeeper.ts')
    const env = { ...process.env, TOLLKEEPER_API_KEY: service.keys.test, TOLLKEEPER_URL: service.urls[0] }
    const piped = await new Promise<{ stdout: string; stderr: string }>((resolve) =>
      execFile(
        'sh',
        ['-c', `"${process.execPath}" "${program}" export usage | head -n 1`],
        { env },
        (_error, stdout, stderr) => resolve({ stdout, stderr }),
      ),
    )
    assert.deepEqual([linesOf(piped.stdout).length, piped.stderr], [1, ''])
    const refused = await run(['export', 'usage'], 'tk_test_wrong')
    assert.deepEqual([refused.code, refused.stdout], [1, ''])
    assert.match(refused.stderr, /^[^\n]*API key[^\n]*\n$/)
  })
})
