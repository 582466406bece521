// What the dashboard's client knows of the dashboard's own API, in TypeScript, by the generator that also serves the SDK.
import { join } from 'node:path'
import { generateTypes, type OpenApi } from '../../sdk/scripts/generate-types.ts'
import { dashboardRoutes } from './dashboard-routes.ts'
import { buildOpenApi } from './http/openapi.ts'

export const dashboardTypesFile = join(import.meta.dirname, '../../dashboard/src/api/generated.ts')

const opening =
  "// What the dashboard's own API takes and answers, route by route. Written by `npm run dashboard:types`: do not edit.\n"

export const buildDashboardDocument = (): OpenApi =>
  buildOpenApi(dashboardRoutes, {
    info: { title: 'Dashboard', description: 'The API of the dashboard, by session.' },
    securityScheme: ['session', { type: 'apiKey', in: 'cookie', name: 'tollkeeper_session' }],
    prefix: '/dashboard/api',
  }) as OpenApi

export const renderDashboardTypes = (): string => generateTypes(buildDashboardDocument(), opening)
