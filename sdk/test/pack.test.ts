// The packed package: JavaScript and declarations only, used from an empty folder by strict TypeScript and plain JavaScript.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { writeDeclarations } from '../../server/src/cli/pull.ts'
import * as oldRuntimes from '../scripts/old-runtimes.ts'
import { installPacked, type Packed } from './pack-fixture.ts'

let packed: Packed
before(async () => {
  packed = await installPacked()
})
after(() => packed.remove())

/** What the command line writes for such a catalogue. */
const feature = (featureKey: string, type: string, tracksUsage: boolean) => ({
  featureKey,
  name: featureKey,
  type,
  tracksUsage,
  isArchived: false,
})
const typed = writeDeclarations({
  features: [
    feature('api_calls', 'limit', true),
    feature('seats', 'limit', false),
    feature('sso', 'boolean', false),
  ],
  products: [
    { key: 'pro', name: 'Pro', type: 'provider' },
    { key: 'free', name: 'Free', type: 'custom' },
  ],
})

const useTyped = `
import { Tollkeeper } from '@tollkeeper/sdk'
import { Gate, useUsage } from '@tollkeeper/sdk/react'
const tk = new Tollkeeper({ apiKey: 'tk_test_x', baseUrl: 'http://localhost:4000' })
tk.track('acme', 'api_calls', 3)
tk.check('acme', 'sso')
tk.checkout('acme', { productKey: 'pro' })
tk.customers.create({ customerId: 'a', customProductKeys: ['free'] })
const limit: Promise<number | undefined> = tk.access('acme').then((access) => access.api_calls?.limit)
useUsage('api_calls')
// @ts-expect-error a boolean feature tracks no usage
tk.track('acme', 'sso')
// @ts-expect-error a limit that tracks no usage
tk.consume('acme', 'seats')
// @ts-expect-error no such feature
tk.check('acme', 'api_cals')
// @ts-expect-error no such feature
tk.access('acme').then((access) => access.nothing)
// @ts-expect-error a custom product is not bought
tk.checkout('acme', { productKey: 'free' })
// @ts-expect-error a provider product is not assigned
tk.customers.update('acme', { addCustomProductKeys: ['pro'] })
// @ts-expect-error a boolean feature has no bonus
tk.bonuses.create({ customerId: 'a', featureKey: 'sso', amount: 1 })
// @ts-expect-error a boolean feature cannot be buffered
tk.buffer().track('acme', 'sso')
// @ts-expect-error a boolean feature has no usage to show
useUsage('sso')
// @ts-expect-error no such feature
Gate({ feature: 'nothing' })
export { limit }
`

const useUntyped = `
import { type Customer, Tollkeeper, TollkeeperError, type TollkeeperOptions } from '@tollkeeper/sdk'
import { closeOnExit, createFileSpool } from '@tollkeeper/sdk/node'
import { createFakeService } from '@tollkeeper/sdk/testing'
import { TollkeeperProvider, useAccess } from '@tollkeeper/sdk/react'
const options: TollkeeperOptions = { apiKey: 'tk_test_x', baseUrl: 'http://localhost:4000', retries: 2 }
const tk: Tollkeeper = createFakeService().client
const anyKey: string = 'whatever'
export async function use(): Promise<Customer | null> {
  await tk.track('acme', anyKey, 3)
  for await (const { customerId } of tk.customers.list()) console.log(customerId)
  closeOnExit(tk.buffer({ spool: createFileSpool('spool') }))
  const handler: (request: Request) => Promise<Response> = tk.handler({ identify: () => 'acme' })
  try {
    // @ts-expect-error an amount is a number
    await tk.track('acme', anyKey, 'three')
  } catch (error) {
    if (error instanceof TollkeeperError) console.log(error.status, error.code, error.requestId)
  }
  return tk.customers.get('acme')
}
export { handlerOf, options, TollkeeperProvider, useAccess }
const handlerOf = tk.handler
`

describe('the packed package', () => {
  it('is JavaScript and declarations, without dependencies and without the service', () => {
    const files = globSync('**/*.*', { cwd: packed.home })
    assert.ok(files.includes('README.md') && files.includes(join('dist', 'sdk.js')))
    assert.deepEqual(
      files.filter((path) => !/\.(js|d\.ts|json|md)$/.test(path)),
      [],
    )
    const { dependencies } = JSON.parse(readFileSync(join(packed.home, 'package.json'), 'utf8'))
    assert.equal(dependencies, undefined)
    for (const path of files.filter((each) => each.startsWith('dist')))
      assert.doesNotMatch(readFileSync(join(packed.home, path), 'utf8'), /from ["'][^"']*server\/src/, path)
  })

  it('is used from strict TypeScript, with keys that are strings', async () => {
    assert.equal(await packed.compile('untyped', { 'use.ts': useUntyped }), '')
  })

  it('holds keys to the catalogue where its types were pulled: tracking a boolean feature does not compile', async () => {
    assert.equal(await packed.compile('typed', { 'use.ts': useTyped, 'tollkeeper.d.ts': typed }), '')
    // The same program without the file has no errors where they are expected, and says so.
    assert.match(await packed.compile('without', { 'use.ts': useTyped }), /Unused '@ts-expect-error'/)
  })

  it('runs from plain JavaScript, on runtimes without Temporal as well', async () => {
    const said = await packed.runScript(`
      delete globalThis.Temporal
      delete Map.groupBy
      const { createFakeService } = await import('@tollkeeper/sdk/testing')
      const { Tollkeeper, TollkeeperError } = await import('@tollkeeper/sdk')
      const { createFileSpool } = await import('@tollkeeper/sdk/node')
      const { Gate } = await import('@tollkeeper/sdk/react')
      const fake = createFakeService({ now: () => Date.UTC(2026, 0, 31) })
      const tk = new Tollkeeper({ apiKey: 'tk_test_x', baseUrl: 'http://x.test', fetch: fake.fetch })
      await tk.features.create({ featureKey: 'calls', name: 'Calls', type: 'limit' })
      await tk.products.link({ productKey: 'pro', providerProductId: 'prod_1' })
      await tk.products.setFeatureAccess('pro', [{ featureKey: 'calls', hasAccess: true, limit: 5 }])
      await tk.customers.ensure({ customerId: 'acme' })
      fake.subscribe('acme', 'pro')
      const { allowed, used } = await tk.consume('acme', 'calls', 2)
      const { nextReset } = await tk.check('acme', 'calls')
      const error = await fake.client.access('nobody').catch((caught) => caught)
      const isOurs = error instanceof TollkeeperError
      console.log(allowed, used, new Date(nextReset).toISOString(), isOurs, typeof createFileSpool, typeof Gate)
    `)
    assert.equal(said, 'true 2 2026-02-28T00:00:00.000Z true function function')
  })
})

describe('what stands in for Temporal on old runtimes', () => {
  it('gives the same start of every month from year 1 to year 4000', () => {
    const real = new Temporal.PlainDate(1970, 1, 1)
    const { PlainDate } = oldRuntimes.Temporal
    const own = new (PlainDate as unknown as new (year: number, month: number, day: number) => typeof real)(
      1970,
      1,
      1,
    )
    for (let months = -12 * 1969; months < 12 * 2030; months++)
      assert.equal(
        own.add({ months }).toZonedDateTime('UTC').epochMilliseconds,
        real.add({ months }).toZonedDateTime('UTC').epochMilliseconds,
      )
  })
})
