// Takes over the customers that the payment provider has, with their subscriptions.
import type { ProviderCustomer, Tollkeeper } from '@tollkeeper/sdk/src/sdk.ts'
import { CommandError } from '../command-error.ts'
import { takeOver } from './customers.ts'
import { stopOnSignal } from './import-file.ts'
import { openProgressLine } from './progress-line.ts'

type Options = {
  /** Where your id of a customer is: `metadata.KEY`, `email` or `provider-id`. */
  from: string
  /** Whether the provider's products are imported first. */
  products: boolean
  json: boolean
}

// The provider answers several calls for each, and has limits of its own.
const inFlight = 4
// Set on customers that were made from here: they have their id already.
const ownIdKey = 'tollkeeper_customer_id'

export async function importFromProvider(
  remote: Tollkeeper,
  { from, products, json }: Options,
): Promise<void> {
  if (products) await remote.products.sync()
  const line = openProgressLine(process.stderr)
  const stop = stopOnSignal()
  const count = { imported: 0, isNew: 0, refused: 0 }
  const refuse = (providerCustomerId: string, sentence: string) => {
    count.refused++
    line.clear()
    process.stderr.write(`${providerCustomerId}: ${sentence}\n`)
  }
  const importOne = async (found: ProviderCustomer) => {
    const { providerCustomerId } = found
    const customerId = findId(found, from)
    if (customerId === undefined) return refuse(providerCustomerId, `it has no ${from}.`)
    // Sent again it changes nothing: one that is linked already is not asked for again.
    const result = await takeOver(remote, { customerId, providerCustomerId, ifExists: 'update' })
    if (!result.success) return refuse(providerCustomerId, result.error)
    count.imported++
    if (result.isNew) count.isNew++
    line.show(`${count.imported} customers, ${count.refused} refused`)
  }
  const all = remote.customers.listAtProvider()[Symbol.asyncIterator]()
  const lane = async () => {
    for (;;) {
      const { value, done } = stop.isStopped() ? { value: undefined, done: true } : await all.next()
      if (done || value === undefined) return
      await importOne(value)
    }
  }
  try {
    await Promise.all(Array.from({ length: inFlight }, lane))
  } finally {
    line.clear()
    stop.close()
  }
  if (stop.isStopped())
    throw new CommandError(`Stopped after ${count.imported} customers: run it again to go on.`)
  const sentence = `Imported ${count.imported} customers, ${count.isNew} of them new; ${count.refused === 0 ? 'nobody was' : `${count.refused} were`} refused.`
  process.stdout.write(`${json ? JSON.stringify(count) : sentence}\n`)
  if (count.refused > 0) process.exitCode = 1
}

function findId({ providerCustomerId, email, metadata }: ProviderCustomer, from: string): string | undefined {
  if (metadata[ownIdKey]) return metadata[ownIdKey]
  if (from === 'provider-id') return providerCustomerId
  if (from === 'email') return email ?? undefined
  return metadata[from.slice('metadata.'.length)] || undefined
}
