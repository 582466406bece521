// The dashboard's own routes, by session, all on one screen; the public ones are mounted beside them (http/dashboard/register.ts).
import { listAuditEntriesRoute } from './http/dashboard/audit-log/list-audit-entries.ts'
import { listBonusRowsRoute } from './http/dashboard/bonuses/list-bonus-rows.ts'
import { exportCustomerRowsRoute } from './http/dashboard/customers/export-customer-rows.ts'
import { getTimelineRoute } from './http/dashboard/customers/get-timeline.ts'
import { listCustomerRowsRoute } from './http/dashboard/customers/list-customer-rows.ts'
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
import { watchRequestsRoute } from './http/dashboard/requests/watch-requests.ts'
import type { DashboardRoute } from './http/dashboard/route.ts'
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
