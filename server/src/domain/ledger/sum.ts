// Storing the counter of a feature's current period, where summing it up took long.
import type { Feature } from '../catalogue/catalogue.ts'
import { type Account, withPeriods } from './account.ts'
import type { LedgerTask, TaskOrigin } from './task.ts'

export const sumTask = (origin: TaskOrigin, feature: Feature): LedgerTask<undefined> => ({
  ...origin,
  getFeature: (catalogue) => catalogue.featuresByNo.get(feature.featureNo) ?? feature,
  decide: (account: Account) => ({
    state: account.feature.tracksUsage ? withPeriods(account, [account.now]).state : account.state,
    stores: true,
    outcome: undefined,
  }),
})
