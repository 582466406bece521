// Every page on one screen: its address below the environment (or, outside of one, its whole address), its title, and, for
// those in the side bar, icon, group and shortcut. A page is loaded when it is opened.
import {
  IconChartAreaLine,
  IconClock,
  IconCode,
  IconCreditCard,
  IconGift,
  IconHome,
  IconListCheck,
  IconPackage,
  IconSettings,
  IconUsers,
} from '@tabler/icons-react'
import { type ComponentType, type LazyExoticComponent, lazy } from 'react'

export type PageProps = { params: Record<string, string | undefined> }

export type Page = {
  route: string
  title: string
  load(): Promise<unknown>
  component: LazyExoticComponent<ComponentType<PageProps>>
  /** Shown in the side bar when given. */
  icon?: ComponentType<{ size?: number; stroke?: number }>
  group?: 'Payments' | 'Build' | 'Installation'
  /** Two keys, one after the other: `g c`. */
  shortcut?: string
  /** Its address has no environment in it. */
  isOutside?: true
  /** Nothing leads to it in live. */
  isTestOnly?: true
}

function page(
  route: string,
  title: string,
  load: () => Promise<ComponentType<PageProps>>,
  more: Pick<Page, 'icon' | 'group' | 'shortcut' | 'isOutside' | 'isTestOnly'> = {},
): Page {
  return { route, title, load, component: lazy(async () => ({ default: await load() })), ...more }
}

export const pages: Page[] = [
  page('/', 'Home', async () => (await import('./pages/home/home.tsx')).Home, {
    icon: IconHome,
    shortcut: 'g h',
  }),
  page('/customers', 'Customers', async () => (await import('./pages/customers/customers.tsx')).Customers, {
    icon: IconUsers,
    shortcut: 'g c',
  }),
  page(
    '/customers/:customerId',
    'Customer',
    async () => (await import('./pages/customer/customer.tsx')).Customer,
  ),
  page('/products', 'Products', async () => (await import('./pages/products/products.tsx')).Products, {
    icon: IconPackage,
    shortcut: 'g p',
  }),
  page('/products/:productKey', 'Product', async () => (await import('./pages/product/product.tsx')).Product),
  page('/features', 'Features', async () => (await import('./pages/features/features.tsx')).Features, {
    icon: IconListCheck,
    shortcut: 'g f',
  }),
  page('/features/:featureKey', 'Feature', async () => (await import('./pages/feature/feature.tsx')).Feature),
  page('/usage', 'Usage', async () => (await import('./pages/usage/usage.tsx')).Usage, {
    icon: IconChartAreaLine,
    shortcut: 'g u',
  }),
  page('/bonuses', 'Bonuses', async () => (await import('./pages/bonuses/bonuses.tsx')).Bonuses, {
    icon: IconGift,
    shortcut: 'g b',
  }),
  page('/provider', 'Provider', async () => (await import('./pages/provider/provider.tsx')).Provider, {
    icon: IconCreditCard,
    group: 'Payments',
    shortcut: 'g v',
  }),
  page(
    '/developers',
    'Developers',
    async () => (await import('./pages/developers/developers.tsx')).Developers,
    { icon: IconCode, group: 'Build', shortcut: 'g d' },
  ),
  page('/clock', 'Test clock', async () => (await import('./pages/clock/clock.tsx')).Clock, {
    icon: IconClock,
    group: 'Build',
    shortcut: 'g t',
    isTestOnly: true,
  }),
  page('/settings', 'Settings', async () => (await import('./pages/settings/people.tsx')).People, {
    icon: IconSettings,
    group: 'Installation',
    shortcut: 'g s',
    isOutside: true,
  }),
  page(
    '/settings/audit-log',
    'Audit log',
    async () => (await import('./pages/settings/audit-log.tsx')).AuditLog,
    { isOutside: true },
  ),
  page('/settings/demo', 'Demo data', async () => (await import('./pages/settings/demo-data.tsx')).DemoData, {
    isOutside: true,
  }),
  page(
    '/settings/password',
    'Your password',
    async () => (await import('./pages/settings/password.tsx')).Password,
    { isOutside: true },
  ),
]

/** Those that something leads to: side bar and palette. */
export const findPlaces = (environment: 'test' | 'live'): Page[] =>
  pages.filter(({ icon, isTestOnly }) => icon !== undefined && (environment === 'test' || !isTestOnly))
