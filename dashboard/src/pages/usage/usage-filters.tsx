// The filters of usage, each in the address.
import { useGet } from '../../api/queries.ts'
import { FilterBar, FilterPill, SearchField } from '../../parts/filters.tsx'
import { RangePill } from '../../parts/range-pill.tsx'
import { CustomerPill } from '../../parts/search-pill.tsx'

export const filterNames = [
  'search',
  'featureKey',
  'customerId',
  'productKey',
  'source',
  'range',
  'from',
  'to',
  'interval',
  'groupBy',
  'measure',
  'event',
  'do',
] as const

export type FilterName = (typeof filterNames)[number]

export type Filters = {
  values: Partial<Record<FilterName, string>>
  set(name: FilterName, value: string | undefined): void
  setAll(values: Partial<Record<FilterName, string | undefined>>): void
}

const sources = [
  { value: 'usage', label: 'Recorded' },
  { value: 'usage_set_adjustment', label: 'Adjustments' },
]

export function UsageFilters({ values, set, setAll }: Filters) {
  const products = useGet('/v1/products', { query: { limit: 100 } }).data?.products ?? []
  const features = useGet('/v1/features', { query: { limit: 100 } }).data?.features ?? []
  return (
    <FilterBar>
      <SearchField
        value={values.search}
        placeholder="Event key or id"
        onChange={(value) => set('search', value)}
      />
      <FilterPill
        label="Feature"
        value={values.featureKey}
        options={features
          .filter(({ tracksUsage }) => tracksUsage)
          .map(({ featureKey, name }) => ({ value: featureKey, label: name }))}
        onChange={(value) => set('featureKey', value)}
      />
      <CustomerPill value={values.customerId} onChange={(value) => set('customerId', value)} />
      <FilterPill
        label="Product"
        value={values.productKey}
        options={products.map(({ key, name }) => ({ value: key, label: name }))}
        onChange={(value) => set('productKey', value)}
      />
      <FilterPill
        label="Kind"
        value={values.source}
        options={sources}
        onChange={(value) => set('source', value)}
      />
      <RangePill values={values} onChange={setAll} />
    </FilterBar>
  )
}
