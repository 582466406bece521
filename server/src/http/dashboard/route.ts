// The dashboard's own routes are values like the public ones, with a session instead of a key. Three kinds: of an environment, of the
// installation, and for whoever is not signed in yet.
import type { z } from 'zod'
import type { Person } from '../../domain/people/role.ts'
import type { Context } from '../../operations/context.ts'
import type { RouteDocument, RouteOf, Shape } from '../route.ts'

/** A browser, whoever sits before it. */
export type Visitor = {
  requestId: string
  address: string
  /** As the cookie brought it; it may be nobody's. */
  sessionToken: string | undefined
}

/** Somebody who is signed in. */
export type SignedInVisitor = Visitor & { person: Person; sessionToken: string }

export type PersonContext = Context & { person: Person; sessionToken: string }

type EnvironmentPath = `/dashboard/api/${'{environment}' | 'test'}/${string}`
type InstallationPath = `/dashboard/api/${string}`

export type EnvironmentAccess = 'read' | 'write' | 'keys' | 'admin'

type EnvironmentRoute = RouteOf<EnvironmentPath, EnvironmentAccess, PersonContext>
type PersonRoute = RouteOf<InstallationPath, 'own' | 'admin', SignedInVisitor>
type VisitorRoute = RouteOf<InstallationPath, 'anyone', Visitor>

export type DashboardRoute = EnvironmentRoute | PersonRoute | VisitorRoute

/** Within an environment, on behalf of a person: the context is what public routes get, so they call the same operations. */
export function defineDashboardRoute<
  Params extends z.ZodType = z.ZodNever,
  Query extends z.ZodType = z.ZodNever,
  Body extends z.ZodType = z.ZodNever,
>(
  route: RouteDocument<EnvironmentPath, EnvironmentAccess> & Shape<Params, Query, Body, PersonContext>,
): DashboardRoute {
  return route as unknown as DashboardRoute
}

/** Of the installation, for whoever is signed in: their own affairs, or people, which only admins handle. */
export function definePersonRoute<
  Params extends z.ZodType = z.ZodNever,
  Query extends z.ZodType = z.ZodNever,
  Body extends z.ZodType = z.ZodNever,
>(
  route: RouteDocument<InstallationPath, 'own' | 'admin'> & Shape<Params, Query, Body, SignedInVisitor>,
): DashboardRoute {
  return route as unknown as DashboardRoute
}

/** For whoever wants to be signed in. */
export function defineVisitorRoute<
  Params extends z.ZodType = z.ZodNever,
  Query extends z.ZodType = z.ZodNever,
  Body extends z.ZodType = z.ZodNever,
>(route: RouteDocument<InstallationPath, 'anyone'> & Shape<Params, Query, Body, Visitor>): DashboardRoute {
  return route as unknown as DashboardRoute
}
