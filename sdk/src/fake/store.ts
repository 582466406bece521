// What the fake holds in memory: a catalogue, customers with their ledgers, and a clock.
import {
  buildCatalogue,
  type Catalogue,
  type Feature,
  type Product,
} from '../../../server/src/domain/catalogue/catalogue.ts'
import { missing } from '../../../server/src/domain/errors.ts'
import type { NewDraw } from '../../../server/src/domain/ledger/change.ts'
import type { BonusRequest } from '../../../server/src/domain/ledger/facts.ts'
import type { Assignment, Bonus, Customer, Subscription } from '../../../server/src/domain/ledger/state.ts'
import type { UsageEvent } from '../../../server/src/domain/ledger/usage-event.ts'

/** A customer and all it owns: the events are the truth, and sums are computed from them. */
export type FakeCustomer = {
  customer: Customer
  revision: number
  assignments: Assignment[]
  subscriptions: Subscription[]
  bonuses: readonly Bonus[]
  events: UsageEvent[]
  /** Further keys that events took when they were amended, by `keyName`. */
  aliases: Map<string, UsageEvent>
  draws: NewDraw[]
  requests: Map<string, BonusRequest>
}

export type FakeStore = {
  features: Feature[]
  products: Product[]
  customers: Map<string, FakeCustomer>
  /** Products that were assigned or the default once, by id. */
  everHeld: Set<string>
  frozenAt: number | null
  /** Counts up: for ids and numbers. */
  nextNumber(): number
  now(): number
  catalogue(): Catalogue
}

export function createStore(now: () => number): FakeStore {
  let number = 0
  const store: FakeStore = {
    features: [],
    products: [],
    customers: new Map(),
    everHeld: new Set(),
    frozenAt: null,
    nextNumber: () => ++number,
    now: () => store.frozenAt ?? now(),
    catalogue: () =>
      buildCatalogue(
        { environment: 'test', revision: number, frozenAt: store.frozenAt },
        store.features,
        store.products,
      ),
  }
  return store
}

export function getCustomer(store: FakeStore, customerId: string): FakeCustomer {
  const customer = store.customers.get(customerId)
  if (!customer) throw missing('customer', customerId)
  return customer
}

/** Features and products are replaced, never changed: what was read before stays as it was. */
export function replaceFeature(store: FakeStore, after: Feature): Feature {
  store.features = store.features.map((each) => (each.featureId === after.featureId ? after : each))
  return after
}

export function replaceProduct(store: FakeStore, after: Product): Product {
  store.products = store.products.map((each) => {
    if (each.productId === after.productId) return after
    // There is never more than one default.
    return after.isDefault && each.isDefault ? { ...each, isDefault: false } : each
  })
  return after
}
