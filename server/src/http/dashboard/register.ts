// Mounts the dashboard's API: its own routes, and every public one once more in each environment, by session.
import type { FastifyInstance } from 'fastify'
import { type Environment, environments } from '../../domain/environment.ts'
import type { Services } from '../../operations/services.ts'
import type { CountRefused } from '../authenticate.ts'
import { type Admit, type Route, type RouteOf, registerRoute } from '../route.ts'
import { type AdmitPerson, createAdmitPerson } from './admit-person.ts'
import type { DashboardRoute } from './route.ts'

const prefix = '/dashboard/api'

export type DashboardMount = {
  app: FastifyInstance
  /** The dashboard's own. */
  ownRoutes: DashboardRoute[]
  publicRoutes: Route[]
  services: Services
  countRefused: CountRefused
}

export function registerDashboard({
  app,
  ownRoutes,
  publicRoutes,
  services,
  countRefused,
}: DashboardMount): void {
  const admission = createAdmitPerson(services, countRefused)
  for (const { route, admit } of listMounted(ownRoutes, publicRoutes, admission))
    registerRoute(app, route, admit, services)
}

// biome-ignore lint/suspicious/noExplicitAny: each route stands beside the one kind of admission that fits it
type Mounted = { route: RouteOf<string, string, any>; admit: Admit<any> }

function listMounted(ownRoutes: DashboardRoute[], publicRoutes: Route[], admission: AdmitPerson): Mounted[] {
  const mountOwn = (route: DashboardRoute): Mounted[] => {
    const { access } = route
    if (access === 'anyone') return [{ route, admit: admission.visitor }]
    const named = findEnvironment(route.path)
    const places = named ? [named] : route.path.includes('{environment}') ? environments : []
    if (places.length === 0) return [{ route, admit: admission.person(access) }]
    return places.map((environment) => ({
      route: { ...route, path: route.path.replace('{environment}', environment) },
      admit: admission.inEnvironment(access, environment),
    }))
  }
  // Which customer is meant need not be known before whoever asks is: the body waits.
  const mountPublic = ({ customer: _customer, ...route }: Route): Mounted[] =>
    environments.map((environment) => ({
      route: { ...route, path: `${prefix}/${environment}${route.path}` },
      admit: admission.inEnvironment(route.access, environment),
    }))
  return [...ownRoutes.flatMap(mountOwn), ...publicRoutes.flatMap(mountPublic)]
}

const findEnvironment = (path: string): Environment | undefined =>
  environments.find((environment) => path.startsWith(`${prefix}/${environment}/`))
