// What can be exported, as lines that import takes again where it can.
import type { Customer, Tollkeeper } from '@tollkeeper/sdk/src/sdk.ts'
import { readRunning } from '../catalogue/running.ts'
import { writeDefinition } from '../catalogue/write-definition.ts'

export type Exported = Record<string, unknown>

type Asked = { customerId: string | undefined; from: number | undefined; to: number | undefined }
type Write = (record: Exported) => Promise<void>

type Export = {
  /** Of CSV; undefined where it is no table. */
  columns: string[] | undefined
  read(remote: Tollkeeper, asked: Asked, write: Write): Promise<void>
}

export type ExportNoun = 'customers' | 'usage' | 'bonuses' | 'catalogue'

export const lists: Record<ExportNoun, Export> = {
  customers: {
    columns: [
      'customerId',
      'name',
      'email',
      'usageStartedAt',
      'customProductKeys',
      'providerCustomerId',
      'metadata',
    ],
    read: (remote, asked, write) => eachCustomer(remote, asked, (customer) => write(toLine(customer))),
  },
  usage: {
    columns: ['customerId', 'featureKey', 'eventKey', 'amount', 'occurredAt', 'metadata'],
    read: (remote, asked, write) =>
      eachCustomer(remote, asked, async ({ customerId }) => {
        const span = withoutAbsent({ from: asked.from, to: asked.to })
        for await (const event of remote.usage.list({ customerId, ...span })) {
          const { id: _, source: __, ...line } = event
          await write(line)
        }
      }),
  },
  bonuses: {
    columns: [
      'bonusId',
      'customerId',
      'featureKey',
      'amount',
      'remainingAmount',
      'createdAt',
      'expiresAt',
      'reason',
      'metadata',
    ],
    read: (remote, asked, write) =>
      eachCustomer(remote, asked, async ({ customerId }) => {
        for await (const { updatedAt: _, ...bonus } of remote.bonuses.list({ customerId })) await write(bonus)
      }),
  },
  catalogue: {
    columns: undefined,
    read: async (remote, _asked, write) =>
      write(JSON.parse(writeDefinition(await readRunning(remote), true)) as Exported),
  },
}

const inFlight = 4

/** Several at a time, since most of the time is waiting; of one customer the lines are in order. */
async function eachCustomer(
  remote: Tollkeeper,
  { customerId }: Asked,
  work: (customer: Customer) => Promise<void>,
): Promise<void> {
  if (customerId !== undefined) {
    const customer = await remote.customers.get(customerId)
    if (customer) await work(customer)
    return
  }
  const all = remote.customers.list()[Symbol.asyncIterator]()
  const lane = async () => {
    for (let next = await all.next(); !next.done; next = await all.next()) await work(next.value)
  }
  await Promise.all(Array.from({ length: inFlight }, lane))
}

const withoutAbsent = <T extends object>(fields: T) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

function toLine(customer: Customer): Exported {
  const { customerId, name, email, usageStartedAt, providerCustomerId, metadata } = customer
  // The default product is held for want of another: nobody was assigned it.
  const keys = customer.products.filter(({ type, isDefault }) => type === 'custom' && !isDefault)
  return withoutAbsent({
    customerId,
    name,
    email,
    usageStartedAt,
    customProductKeys: keys.length > 0 ? keys.map(({ key }) => key) : undefined,
    providerCustomerId,
    metadata: Object.keys(metadata).length > 0 ? metadata : undefined,
  })
}
