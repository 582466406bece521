// Every endpoint of the simulated API, and how a request finds its own.

import { meterRoutes } from '../catalogue/meters.ts'
import { priceRoutes } from '../catalogue/prices.ts'
import { productRoutes } from '../catalogue/products.ts'
import { checkoutSessionRoutes } from '../checkout/sessions.ts'
import { customerRoutes } from '../customers/customers.ts'
import { paymentMethodRoutes } from '../customers/payment-methods.ts'
import { eventRoutes } from '../events/events.ts'
import { portalConfigurationRoutes } from '../portal/configurations.ts'
import { portalSessionRoutes } from '../portal/sessions.ts'
import { invoiceRoutes } from '../subscriptions/invoices.ts'
import { subscriptionItemRoutes } from '../subscriptions/items.ts'
import { subscriptionRoutes } from '../subscriptions/routes.ts'
import type { Route } from './route.ts'
import { searchRoutes } from './search.ts'

export const routes: (Route & { pattern: RegExp })[] = [
  ...searchRoutes,
  ...customerRoutes,
  ...productRoutes,
  ...priceRoutes,
  ...meterRoutes,
  ...checkoutSessionRoutes,
  ...portalConfigurationRoutes,
  ...portalSessionRoutes,
  ...subscriptionRoutes,
  ...subscriptionItemRoutes,
  ...invoiceRoutes,
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
