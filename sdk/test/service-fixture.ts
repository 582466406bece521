// A real service, clients for it, and the list of operations that were answered with success.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openAccount } from '../../server/test/billing/shop-fixture.ts'
import { startTestService } from '../../server/test/service.ts'
import { listRoutes, type OpenApi } from '../scripts/generate-types.ts'
import { Tollkeeper, type TollkeeperOptions } from '../src/sdk.ts'

const document: OpenApi = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../server/openapi.json'), 'utf8'),
)

/** Paths without parameters first: they are the more exact ones. */
const routes = listRoutes(document)
  .map(({ route }) => ({ route, form: new RegExp(`^${route.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }))
  .sort((a, b) => Number(a.route.includes('{')) - Number(b.route.includes('{')))

export async function startServiceFixture() {
  const service = await startTestService()
  const baseUrl = service.urls[0] as string
  const unanswered = new Set(routes.map(({ route }) => route))
  const noting: NonNullable<TollkeeperOptions['fetch']> = async (url, init) => {
    const response = await fetch(url, init)
    const asked = `${init.method} ${new URL(url).pathname}`
    const found = routes.find(({ form }) => form.test(asked))
    if (response.ok && found) unanswered.delete(found.route)
    return response
  }
  return {
    ...service,
    baseUrl,
    tk: new Tollkeeper({ apiKey: service.keys.test, baseUrl, fetch: noting }),
    unanswered,
    provider: openAccount(service.instances[0] as (typeof service.instances)[0], 'test'),
  }
}

export async function collect<Item>(list: AsyncIterable<Item>): Promise<Item[]> {
  const items: Item[] = []
  for await (const item of list) items.push(item)
  return items
}
