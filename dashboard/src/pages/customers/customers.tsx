// Customers: found by words, product and how near they are to a limit; as a table and as CSV.
import { Button } from '@mantine/core'
import { IconDownload, IconPlus } from '@tabler/icons-react'
import { writeAddress } from '../../api/client.ts'
import { useEnvironment } from '../../api/environment.ts'
import type { EnvironmentOperations } from '../../api/operations.ts'
import { useGet, useList } from '../../api/queries.ts'
import { useMay } from '../../api/session.ts'
import { toCurl } from '../../parts/calls.ts'
import { Empty } from '../../parts/empty.tsx'
import { FilterBar, FilterPill, SearchField, useFilters } from '../../parts/filters.tsx'
import { formatCount } from '../../parts/format.ts'
import { PageHeader } from '../../parts/page-header.tsx'
import { Table } from '../../parts/table.tsx'
import { customerColumns } from './columns.tsx'
import { CreateCustomer } from './create-customer.tsx'

const names = ['search', 'productKey', 'status', 'featureKey', 'sort', 'do'] as const

const statuses = [
  { value: 'over', label: 'Over a limit' },
  { value: 'near', label: 'Near a limit' },
  { value: 'ok', label: 'Within limits' },
]

const sorts = [
  { value: 'created', label: 'Newest' },
  { value: 'share', label: 'Nearest to a limit' },
]

export function Customers() {
  const { values, set } = useFilters(names)
  const environment = useEnvironment()
  const mayWrite = useMay()
  const { do: _, ...filters } = values
  const query = filters as NonNullable<EnvironmentOperations['GET /customer-rows']['query']>
  const list = useList('/customer-rows', { query }, (answer) => answer.customers, {
    isLive: true,
    keepsPrevious: true,
  })
  const isFiltered = Object.keys(filters).some((name) => name !== 'sort')
  const csv = writeAddress(`/dashboard/api/${environment}`, '/customer-rows.csv', { query: filters })
  return (
    <>
      <PageHeader
        title="Customers"
        actions={
          <>
            <Button
              variant="default"
              leftSection={<IconDownload size={15} />}
              component="a"
              href={csv}
              download
            >
              CSV
            </Button>
            {mayWrite && (
              <Button leftSection={<IconPlus size={15} />} onClick={() => set('do', 'create')}>
                Create customer
              </Button>
            )}
          </>
        }
      />
      <CustomerFilters values={filters} set={set} total={list.first?.total} />
      <Table
        caption="Customers"
        list={list}
        columns={customerColumns}
        rowKey={({ customerId }) => customerId}
        href={({ customerId }) => `/customers/${encodeURIComponent(customerId)}`}
        empty={isFiltered ? <Empty text="No customer matches these filters." /> : <NoCustomers />}
        expectedRows={12}
      />
      <CreateCustomer isOpen={values.do === 'create' && mayWrite} onClose={() => set('do', undefined)} />
    </>
  )
}

type Values = Partial<Record<Exclude<(typeof names)[number], 'do'>, string>>
type FilterProps = {
  values: Values
  set(name: (typeof names)[number], value: string | undefined): void
  total: number | undefined
}

function CustomerFilters({ values, set, total }: FilterProps) {
  const products = useGet('/v1/products', { query: { limit: 100 } }).data?.products ?? []
  const features = useGet('/v1/features', { query: { limit: 100 } }).data?.features ?? []
  return (
    <FilterBar
      right={total === undefined ? undefined : <span role="status">{formatCount(total, 'customer')}</span>}
    >
      <SearchField
        value={values.search}
        placeholder="Search id, name or e-mail"
        onChange={(value) => set('search', value)}
      />
      <FilterPill
        label="Product"
        value={values.productKey}
        options={products.map(({ key, name }) => ({ value: key, label: name }))}
        onChange={(value) => set('productKey', value)}
      />
      <FilterPill
        label="Limit"
        value={values.status}
        options={statuses}
        onChange={(value) => set('status', value)}
      />
      <FilterPill
        label="Feature"
        value={values.featureKey}
        options={features
          .filter(({ tracksUsage }) => tracksUsage)
          .map(({ featureKey, name }) => ({ value: featureKey, label: name }))}
        onChange={(value) => set('featureKey', value)}
      />
      <FilterPill label="Sort" value={values.sort} options={sorts} onChange={(value) => set('sort', value)} />
    </FilterBar>
  )
}

function NoCustomers() {
  return (
    <Empty
      text="Whoever uses your product is a customer here, under your own id. Create one above, or with this call; a checkout creates one, too."
      call={toCurl({
        method: 'POST',
        path: '/v1/customers',
        body: { customerId: 'acme', name: 'Acme Inc.' },
      })}
    />
  )
}
