// Changing what a fake customer holds: falling back to the default product is decided by the service's own rule.
import { decideFallBack, type Holdings } from '../../../server/src/domain/access/fall-back.ts'
import type { FakeCustomer, FakeStore } from './store.ts'

export function hold(store: FakeStore, owner: FakeCustomer, after: Holdings): void {
  const fallBack = decideFallBack(store.catalogue(), owner, after, store.now())
  owner.assignments = [...after.assignments]
  owner.subscriptions = [...after.subscriptions]
  if (!fallBack) return
  const { mainEndedAt, fellBackAt = owner.customer.fellBackAt } = fallBack
  owner.customer = { ...owner.customer, mainEndedAt, fellBackAt }
}
