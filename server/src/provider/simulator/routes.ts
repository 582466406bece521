// Every endpoint of the simulated API, and how a request finds its own.
import { checkoutSessionRoutes } from './checkout-sessions.ts'
import { customerRoutes } from './customers.ts'
import { eventRoutes } from './events.ts'
import { paymentMethodRoutes } from './payment-methods.ts'
import { portalSessionRoutes } from './portal-sessions.ts'
import { priceRoutes } from './prices.ts'
import { productRoutes } from './products.ts'
import type { Route } from './route.ts'
import { subscriptionItemRoutes } from './subscription-items.ts'
import { subscriptionRoutes } from './subscriptions.ts'

const routes: (Route & { pattern: RegExp })[] = [
  ...customerRoutes,
  ...productRoutes,
  ...priceRoutes,
  ...checkoutSessionRoutes,
  ...portalSessionRoutes,
  ...subscriptionRoutes,
  ...subscriptionItemRoutes,
  ...paymentMethodRoutes,
  ...eventRoutes,
].map((route) => ({ ...route, pattern: new RegExp(`^${route.path.replace(':id', '([^/]+)')}$`) }))

export function findRoute(method: string, path: string): { route: Route; id: string } | undefined {
  for (const route of routes) {
    const match = route.method === method ? route.pattern.exec(path) : null
    if (match !== null) return { route, id: match[1] ?? '' }
  }
  return undefined
}
