// What the palette offers for the words in it: pages, actions, customers, products and features.
import { useMantineColorScheme } from '@mantine/core'
import { useLocation } from 'wouter'
import { useEnvironment } from '../api/environment.ts'
import { useGet } from '../api/queries.ts'
import { useMay } from '../api/session.ts'
import { findPlaces, pages } from '../pages.tsx'
import type { PaletteItem } from './palette-item.ts'
import { useSignOut } from './sign-out.ts'
import { useSwitchEnvironment } from './switch-environment.ts'
import { useWordActions } from './word-actions.ts'

const mostCustomers = 6
const mostItems = 14

export function usePaletteItems(
  text: string,
  searched: string,
): { items: PaletteItem[]; isSearching: boolean } {
  const places = usePlaces()
  const actions = useActions()
  const words = useWordActions(searched)
  const catalogue = useCatalogue()
  const customers = useCustomers(searched)
  const found = [
    ...[...places, ...actions, ...catalogue].filter((item) =>
      text === '' ? !['Product', 'Feature', 'Key'].includes(item.kind) : matches(item, text),
    ),
    ...customers.items,
  ]
  const sorted = text === '' ? found : found.sort((one, other) => rank(one, text) - rank(other, text))
  return { items: [...words, ...sorted].slice(0, mostItems), isSearching: customers.isSearching }
}

const matches = ({ name, note = '' }: PaletteItem, text: string): boolean =>
  text
    .toLowerCase()
    .split(/\s+/)
    .every((word) => `${name} ${note}`.toLowerCase().includes(word))

/** What begins with the words comes first. */
const rank = ({ name, note = '' }: PaletteItem, text: string): number =>
  name.toLowerCase().startsWith(text.toLowerCase()) || note.toLowerCase().startsWith(text.toLowerCase())
    ? 0
    : 1

function usePlaces(): PaletteItem[] {
  const [, navigate] = useLocation()
  const environment = useEnvironment()
  return findPlaces(environment).map(({ route, title, shortcut, isOutside }) => ({
    key: `page ${route}`,
    kind: 'Page',
    name: title,
    ...(shortcut === undefined ? {} : { note: shortcut }),
    run: () => navigate(isOutside ? `~${route}` : `~/${environment}${route === '/' ? '' : route}`),
  }))
}

function useActions(): PaletteItem[] {
  const environment = useEnvironment()
  const [, navigate] = useLocation()
  const switchTo = useSwitchEnvironment()
  const { toggleColorScheme } = useMantineColorScheme()
  const signOut = useSignOut()
  const [mayWrite, isAdmin] = [useMay(), useMay('admin')]
  const other = environment === 'test' ? 'live' : 'test'
  const act = (name: string, run: () => void): PaletteItem => ({
    key: `action ${name}`,
    kind: 'Action',
    name,
    run,
  })
  return [
    ...(mayWrite
      ? [
          act('Create customer', () => navigate(`~/${environment}/customers?do=create`)),
          act('Create custom product', () => navigate(`~/${environment}/products?do=create`)),
          act('Create feature', () => navigate(`~/${environment}/features?do=create`)),
          act('Give bonus', () => navigate(`~/${environment}/bonuses?do=give`)),
          act('Record usage', () => navigate(`~/${environment}/usage?do=record`)),
          act('Make API key', () => navigate(`~/${environment}/developers?do=make-key`)),
        ]
      : []),
    ...(isAdmin ? [act('Invite person', () => navigate('~/settings?do=invite'))] : []),
    act(`Switch to ${other}`, () => switchTo(other)),
    act('Switch between light and dark', () => toggleColorScheme()),
    act('Sign out', signOut),
  ]
}

function useCatalogue(): PaletteItem[] {
  const [, navigate] = useLocation()
  const environment = useEnvironment()
  const products = useGet('/v1/products', { query: { limit: 100 } })
  const features = useGet('/v1/features', { query: { limit: 100 } })
  const keys = useGet('/keys', {})
  const hasPage = (route: string) => pages.some((page) => page.route.startsWith(route))
  return [
    ...(hasPage('/products/') ? (products.data?.products ?? []) : []).map(
      ({ key, name }): PaletteItem => ({
        key: `product ${key}`,
        kind: 'Product',
        name,
        note: key,
        run: () => navigate(`~/${environment}/products/${encodeURIComponent(key)}`),
      }),
    ),
    ...(keys.data?.keys ?? [])
      .filter(({ revokedAt }) => revokedAt === null)
      .map(
        ({ keyId, name, lastFour }): PaletteItem => ({
          key: `key ${keyId}`,
          kind: 'Key',
          name,
          note: `…${lastFour}`,
          run: () => navigate(`~/${environment}/developers?key=${encodeURIComponent(keyId)}`),
        }),
      ),
    ...(hasPage('/features/') ? (features.data?.features ?? []) : []).map(
      ({ featureKey, name }): PaletteItem => ({
        key: `feature ${featureKey}`,
        kind: 'Feature',
        name,
        note: featureKey,
        run: () => navigate(`~/${environment}/features/${encodeURIComponent(featureKey)}`),
      }),
    ),
  ]
}

function useCustomers(searched: string): { items: PaletteItem[]; isSearching: boolean } {
  const [, navigate] = useLocation()
  const environment = useEnvironment()
  const { data, isFetching } = useGet(
    '/v1/customers',
    { query: { search: searched, limit: mostCustomers } },
    { isEnabled: searched !== '' },
  )
  const items = (searched === '' ? [] : (data?.customers ?? [])).map(
    ({ customerId, name, email }): PaletteItem => ({
      key: `customer ${customerId}`,
      kind: 'Customer',
      name: name ?? email ?? customerId,
      note: customerId,
      run: () => navigate(`~/${environment}/customers/${encodeURIComponent(customerId)}`),
    }),
  )
  return { items, isSearching: isFetching }
}
