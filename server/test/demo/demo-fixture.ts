// Demo data for tests: a local installation, the making of it, and what is left of it in the database.
import assert from 'node:assert/strict'
import { servicePrincipal } from '../../src/domain/principal.ts'
import { openContext } from '../../src/operations/context.ts'
import { getDemo } from '../../src/operations/demo/get-demo.ts'
import { removeDemo } from '../../src/operations/demo/remove-demo.ts'
import type { Service } from '../../src/service.ts'
import { eventually, openShop, type Shop } from '../billing/shop-fixture.ts'

const principal = servicePrincipal('test', 'test')

export async function inShop(
  variables: Record<string, string>,
  work: (shop: Shop) => Promise<void>,
): Promise<void> {
  const shop = await openShop({ variables })
  try {
    await work(shop)
  } finally {
    await shop.close()
  }
}

export const first = (shop: Shop) => shop.instances[0] as Service

/** Made and complete: the usage too, and all that the provider has told. */
export async function makeWhole(shop: Shop): Promise<void> {
  assert.notEqual(await first(shop).startDemo(), undefined)
  await becomeWhole(shop)
}

export async function becomeWhole(shop: Shop): Promise<void> {
  await eventually(
    () => getDemo(first(shop).services, principal),
    ({ isFinished }) => assert.equal(isFinished, true),
    60_000,
  )
}

export const remove = async (shop: Shop) =>
  removeDemo(first(shop).services, await openContext(first(shop).services, principal))

/** Every customer, page by page. */
export async function listAll(shop: Shop) {
  const { body } = await shop.get('/v1/customers?limit=100')
  return body.customers as {
    customerId: string
    name: string
    created: number
    products: { key: string; status: string; canceledAt: number | null }[]
  }[]
}
