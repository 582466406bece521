// Two environments that have everything in common but their rows: the same keys, customers, events and, by a change of the live
// rows beside the service, the same ids at the payment provider.
import assert from 'node:assert/strict'
import type Stripe from 'stripe'
import type { Service } from '../../src/service.ts'
import { eventually, openAccount } from '../billing/shop-fixture.ts'
import { type Answer, startTestService, type TestService } from '../service.ts'
import { statisticsTables } from '../statistics/statistics-tables.ts'

export type Environment = 'test' | 'live'

export type Twins = {
  service: TestService
  /** The account's owner at the provider, in the test environment. */
  stripe: Stripe
  /** Ids at the provider, by what they are of; live has the same. */
  ids: Record<string, string>
  ask(method: string, path: string, body?: object): Promise<Answer>
  /** Waits until nothing is left to be told or fetched. */
  settle(): Promise<void>
  /** All rows of the live environment, each with its table. */
  dumpLive(): Promise<string[]>
  close(): Promise<void>
}

export async function openTwins(): Promise<Twins> {
  const service = await startTestService()
  try {
    return await makeTwins(service)
  } catch (error) {
    await service.close()
    throw error
  }
}

async function makeTwins(service: TestService): Promise<Twins> {
  const [instance] = service.instances as [Service]
  const furnished: Record<Environment, Record<string, string>> = {
    test: await furnish(service, instance, 'test'),
    live: await furnish(service, instance, 'live'),
  }
  await settle(service)
  const belongs = await findOwnership(service)
  for (const [name, liveId] of Object.entries(furnished.live))
    await renameInLive(service, belongs, liveId, furnished.test[name] as string)
  return {
    service,
    stripe: openAccount(instance, 'test'),
    ids: furnished.test,
    ask: (method, path, body) => service.request(method, path, body ? { body } : {}),
    settle: () => settle(service),
    dumpLive: () => dumpLive(service, belongs),
    close: service.close,
  }
}

const access = [{ featureKey: 'calls', hasAccess: true, limit: 100 }]

/** Says what things are called at the provider. */
async function furnish(service: TestService, instance: Service, environment: Environment) {
  const stripe = openAccount(instance, environment)
  const make = async (method: string, path: string, body?: object, headers: Record<string, string> = {}) => {
    const options = { key: service.keys[environment], headers, ...(body ? { body } : {}) }
    const answer = await service.request(method, path, options)
    assert.ok(answer.status < 300, `${method} ${path} → ${answer.text}`)
    return answer.body
  }
  for (const featureKey of ['calls', 'spare'])
    await make('POST', '/v1/features', { featureKey, name: featureKey, type: 'limit' })
  const free = { productKey: 'free', name: 'Free', isDefault: true, featureAccess: access }
  await make('POST', '/v1/custom-products', free)
  await make('POST', '/v1/custom-products', { productKey: 'plan', name: 'Plan', featureAccess: access })
  const product = await stripe.products.create({
    id: 'prod_twin',
    name: 'Pro',
    metadata: { product_key: 'pro' },
    default_price_data: { currency: 'usd', unit_amount: 100, recurring: { interval: 'month' } },
  })
  await make('POST', '/v1/products', { productKey: 'pro', providerProductId: product.id })
  await make('PUT', '/v1/products/pro/feature-access', { featureAccess: access })

  const acme = await make('POST', '/v1/customers', { customerId: 'acme', customProductKeys: ['plan'] })
  const beta = await make('POST', '/v1/customers', { customerId: 'beta' })
  const method = await stripe.paymentMethods.attach('pm_card_visa', { customer: acme.providerCustomerId })
  await stripe.customers.update(acme.providerCustomerId, {
    invoice_settings: { default_payment_method: method.id },
  })
  const price = String(product.default_price)
  const subscription = await stripe.subscriptions.create({
    customer: acme.providerCustomerId,
    items: [{ price }],
  })
  const { url } = await make('POST', '/v1/customers/beta/checkout', { productKey: 'pro' })
  for (const customerId of ['acme', 'beta'])
    for (const featureKey of ['calls', 'spare']) {
      await make('POST', '/v1/usage', { customerId, featureKey, eventKey: 'e', amount: 120 })
      const headers = { 'idempotency-key': `${customerId}-${featureKey}` }
      await make('POST', '/v1/bonuses', { customerId, featureKey, amount: 30 }, headers)
    }
  await settle(service)
  // Who holds an older version can be moved.
  for (const productKey of ['plan', 'pro']) await make('POST', `/v1/products/${productKey}/versions`)
  return {
    acme: acme.providerCustomerId as string,
    beta: beta.providerCustomerId as string,
    price,
    subscription: subscription.id,
    item: subscription.items.data[0]?.id as string,
    method: method.id,
    session: url.split('/').at(-1) as string,
  }
}

async function settle({ query }: TestService): Promise<void> {
  await eventually(
    () =>
      query(
        `select 'delivery' as what, event_id as id from simulator_delivery
         union all select 'event', event_id from provider_event where due_at is not null
         union all select 'link', customer_id from customer where provider_due_at is not null
         union all select 'reconciliation', environment from environment where reconciled_at is null`,
      ),
    (left) => assert.deepEqual(left, []),
    15_000,
  )
}

/** How a table's rows are known to be of an environment, by the columns it has. */
const owners: [column: string, condition: string][] = [
  ['environment', `t.environment = 'live'`],
  ['customer_uid', `t.customer_uid in (select customer_uid from customer where environment = 'live')`],
  ['product_id', `t.product_id in (select product_id from product where environment = 'live')`],
  ['feature_no', `t.feature_no in (select feature_no from feature where environment = 'live')`],
]
// Of the installation, and of keys: nobody asks with the live one while it is looked at.
const ofPeople = ['person', 'person_session', 'person_link', 'sign_in_attempts']
// test/statistics looks at whose statistics are.
const ofNobody = ['migration', 'rate_window', ...ofPeople, ...statisticsTables]

type Ownership = { table: string; condition: string; columns: { name: string; type: string }[] }

async function findOwnership({ query }: TestService): Promise<Ownership[]> {
  const rows = (await query(
    `select c.table_name as table, c.column_name as name, c.data_type as type
     from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE' order by 1, c.ordinal_position`,
  )) as { table: string; name: string; type: string }[]
  return [...Map.groupBy(rows, (row) => row.table)].flatMap(([table, columns]) => {
    if (ofNobody.includes(table)) return []
    const owner = owners.find(([name]) => columns.some((column) => column.name === name))
    assert.ok(owner, `whose rows are those of ${table}?`)
    return { table, condition: owner[1], columns }
  })
}

/** References between the rows follow in the same transaction, so they are not looked at meanwhile. */
async function renameInLive({ query }: TestService, belongs: Ownership[], from: string, to: string) {
  assert.match(`${from} ${to}`, /^\w+ \w+$/)
  const updates = belongs.flatMap(({ table, condition, columns }) =>
    columns
      .filter(({ type }) => type === 'text' || type === 'jsonb')
      .map(
        ({ name, type }) =>
          `update ${table} t set ${name} = replace(t.${name}::text, '${from}', '${to}')::${type}
           where ${condition} and t.${name}::text like '%${from}%'`,
      ),
  )
  const begin = 'begin; set local session_replication_role = replica'
  await query([begin, ...updates, 'commit'].join(';\n'))
}

/** The live environment is reconciled by itself meanwhile, the use of its key noted and its usage summed up later: their rows
 * may tell of it. */
async function dumpLive({ query }: TestService, belongs: Ownership[]): Promise<string[]> {
  const parts = belongs.map(
    ({ table, condition }) =>
      `select '${table} ' || (to_jsonb(t) - 'reconciled_at' - 'last_used_at' - 'stats_from' - 'stats_doing')::text as row from ${table} t where ${condition}`,
  )
  return (await query(`${parts.join(' union all ')} order by 1`)).map(({ row }) => String(row))
}
