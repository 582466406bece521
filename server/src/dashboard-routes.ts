// The dashboard's own routes, by session, all on one screen; the public ones are mounted beside them (http/dashboard/register.ts).
import { listAuditEntriesRoute } from './http/dashboard/audit-log/list-audit-entries.ts'
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
import { watchRequestsRoute } from './http/dashboard/requests/watch-requests.ts'
import type { DashboardRoute } from './http/dashboard/route.ts'

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
  watchRequestsRoute,
]
