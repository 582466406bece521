// A customer's counterpart at the payment provider: made once, however often that is tried, and told name and email.
import { type Provider, type ProviderCustomerFields, ProviderError } from '../../provider/provider.ts'
import { noteLinkTry, type ProviderLink, renewLinkKey } from '../../storage/billing/provider-customers.ts'
import type { Sql } from '../../storage/database.ts'

/** Providers keep an idempotency key for at least a day; a little less is sure. */
const keyKeptMs = 23 * 3_600_000
const uidKey = 'tollkeeper_customer_uid'

/** What the service itself puts on a customer there. */
export const toCustomerMetadata = (customerId: string, customerUid: string) => ({
  tollkeeper_customer_id: customerId,
  [uidKey]: customerUid,
})

/** Undefined when the provider only gave an earlier answer again. */
export async function createThere(
  sql: Sql,
  provider: Provider,
  link: ProviderLink,
): Promise<string | undefined> {
  const { customerUid, customerId, linkKey } = link
  const now = Date.now()
  const triedAt = await noteLinkTry(sql, link, now)
  // By now the key may be forgotten: one that an early try made is looked for.
  if (now - triedAt > keyKeptMs) {
    const found = await findThere(provider, customerUid)
    if (found !== undefined) return found
  }
  const fields = { metadata: toCustomerMetadata(customerId, customerUid) }
  try {
    return (await provider.createCustomer(fields, linkKey)).providerCustomerId
  } catch (error) {
    if (!(error instanceof ProviderError) || !error.endsKey) throw error
    await renewLinkKey(sql, link)
    if (error.isReplayed) return undefined
    throw error
  }
}

/** Not every account can be searched: then there is nothing to be found. */
const findThere = (provider: Provider, customerUid: string) =>
  provider.findCustomer({ key: uidKey, value: customerUid }).catch((error) => {
    if (error instanceof ProviderError && error.kind === 'rejected') return undefined
    throw error
  })

/** What the provider refuses of it is left untold until it changes: nothing else hangs on a name or an email. */
export async function tell(
  provider: Provider,
  providerCustomerId: string,
  { name, email }: ProviderLink,
): Promise<void> {
  const fields = [name === undefined ? [] : { name }, email === undefined ? [] : { email }].flat()
  if (fields.length === 0) return
  if (await isTaken(provider, providerCustomerId, Object.assign({}, ...fields))) return
  if (fields.length > 1) for (const field of fields) await isTaken(provider, providerCustomerId, field)
}

const isTaken = (provider: Provider, providerCustomerId: string, fields: ProviderCustomerFields) =>
  provider.updateCustomer(providerCustomerId, fields).then(
    () => true,
    (error) => {
      if (error instanceof ProviderError && error.kind === 'rejected') return false
      throw error
    },
  )
