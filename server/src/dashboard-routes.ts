// The dashboard's own routes, by session, all on one screen; the public ones are mounted beside them (http/dashboard/register.ts).
import { listAuditEntriesRoute } from './http/dashboard/audit-log/list-audit-entries.ts'
import { listBonusRowsRoute } from './http/dashboard/bonuses/list-bonus-rows.ts'
import { listAheadRoute } from './http/dashboard/clock/list-ahead.ts'
import { listChangesRoute } from './http/dashboard/clock/list-changes.ts'
import { exportCustomerRowsRoute } from './http/dashboard/customers/export-customer-rows.ts'
import { getTimelineRoute } from './http/dashboard/customers/get-timeline.ts'
import { listCustomerRowsRoute } from './http/dashboard/customers/list-customer-rows.ts'
import { getDemoRoute } from './http/dashboard/demo/get-demo.ts'
import { makeDemoRoute } from './http/dashboard/demo/make-demo.ts'
import { removeDemoRoute } from './http/dashboard/demo/remove-demo.ts'
import { getFeatureImpactRoute } from './http/dashboard/features/get-feature-impact.ts'
import { getFeatureStatisticsRoute } from './http/dashboard/features/get-feature-statistics.ts'
import { createApiKeyRoute } from './http/dashboard/keys/create-api-key.ts'
import { listApiKeysRoute } from './http/dashboard/keys/list-api-keys.ts'
import { revokeApiKeyRoute } from './http/dashboard/keys/revoke-api-key.ts'
import { rotateApiKeyRoute } from './http/dashboard/keys/rotate-api-key.ts'
import { acceptLinkRoute } from './http/dashboard/people/accept-link.ts'
import { changePasswordRoute } from './http/dashboard/people/change-password.ts'
import { changeRoleRoute } from './http/dashboard/people/change-role.ts'
import { getLinkRoute } from './http/dashboard/people/get-link.ts'
import { getSessionRoute } from './http/dashboard/people/get-session.ts'
import { invitePersonRoute } from './http/dashboard/people/invite-person.ts'
import { listPeopleRoute } from './http/dashboard/people/list-people.ts'
import { makeLinkRoute } from './http/dashboard/people/make-link.ts'
import { removePersonRoute } from './http/dashboard/people/remove-person.ts'
import { signInRoute } from './http/dashboard/people/sign-in.ts'
import { signOutRoute } from './http/dashboard/people/sign-out.ts'
import { countHoldersRoute } from './http/dashboard/products/count-holders.ts'
import { previewFeatureAccessRoute } from './http/dashboard/products/preview-feature-access.ts'
import { compareProviderRoute } from './http/dashboard/provider/compare-provider.ts'
import { describeProviderRoute } from './http/dashboard/provider/describe-provider.ts'
import { getProviderCustomerRoute } from './http/dashboard/provider/get-provider-customer.ts'
import { listProviderEventsRoute } from './http/dashboard/provider/list-provider-events.ts'
import { resyncCustomerRoute } from './http/dashboard/provider/resync-customer.ts'
import { retryProviderEventRoute } from './http/dashboard/provider/retry-provider-event.ts'
import { watchRequestsRoute } from './http/dashboard/requests/watch-requests.ts'
import type { DashboardRoute } from './http/dashboard/route.ts'
import { advanceSubscriptionRoute } from './http/dashboard/simulator/advance-subscription.ts'
import { cancelSubscriptionRoute } from './http/dashboard/simulator/cancel-subscription.ts'
import { createProductRoute } from './http/dashboard/simulator/create-product.ts'
import { failNextPaymentRoute } from './http/dashboard/simulator/fail-next-payment.ts'
import { chartLimitRoute } from './http/dashboard/statistics/chart-limit.ts'
import { chartRequestsRoute } from './http/dashboard/statistics/chart-requests.ts'
import { chartUsageRoute } from './http/dashboard/statistics/chart-usage.ts'
import { getOverviewRoute } from './http/dashboard/statistics/get-overview.ts'
import { exportEventsRoute } from './http/dashboard/usage/export-events.ts'
import { getEventHistoryRoute } from './http/dashboard/usage/get-event-history.ts'
import { listEventsRoute } from './http/dashboard/usage/list-events.ts'
import { previewEventRoute } from './http/dashboard/usage/preview-event.ts'

export const dashboardRoutes: DashboardRoute[] = [
  getSessionRoute,
  signInRoute,
  signOutRoute,
  changePasswordRoute,
  getLinkRoute,
  acceptLinkRoute,
  listPeopleRoute,
  invitePersonRoute,
  changeRoleRoute,
  removePersonRoute,
  makeLinkRoute,
  listApiKeysRoute,
  createApiKeyRoute,
  rotateApiKeyRoute,
  revokeApiKeyRoute,
  listAuditEntriesRoute,
  describeProviderRoute,
  listProviderEventsRoute,
  retryProviderEventRoute,
  compareProviderRoute,
  resyncCustomerRoute,
  getProviderCustomerRoute,
  createProductRoute,
  advanceSubscriptionRoute,
  cancelSubscriptionRoute,
  failNextPaymentRoute,
  listAheadRoute,
  listChangesRoute,
  getDemoRoute,
  makeDemoRoute,
  removeDemoRoute,
  getOverviewRoute,
  chartUsageRoute,
  chartLimitRoute,
  chartRequestsRoute,
  listCustomerRowsRoute,
  exportCustomerRowsRoute,
  getTimelineRoute,
  countHoldersRoute,
  previewFeatureAccessRoute,
  getFeatureStatisticsRoute,
  getFeatureImpactRoute,
  listEventsRoute,
  exportEventsRoute,
  getEventHistoryRoute,
  previewEventRoute,
  listBonusRowsRoute,
  watchRequestsRoute,
]
