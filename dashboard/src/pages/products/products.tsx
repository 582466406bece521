// Products: the catalogue with who holds what, and the ways to a new product.
import { Button, Menu } from '@mantine/core'
import { IconChevronDown, IconPlus } from '@tabler/icons-react'
import type { Product } from '@tollkeeper/sdk/src/generated/api.ts'
import { useLocation } from 'wouter'
import { toList, useGet } from '../../api/queries.ts'
import { useMay, useProviderMode } from '../../api/session.ts'
import { useProducts } from '../../api/whole-lists.ts'
import { toCurl } from '../../parts/calls.ts'
import { CopyAs } from '../../parts/copy-as.tsx'
import { Empty } from '../../parts/empty.tsx'
import { FilterBar, FilterPill, SearchField, useFilters } from '../../parts/filters.tsx'
import { formatCount } from '../../parts/format.ts'
import { PageHeader } from '../../parts/page-header.tsx'
import { Table } from '../../parts/table.tsx'
import { CreateProduct } from './create-product.tsx'
import { HoldersChart } from './holders-chart.tsx'
import { ImportProducts } from './import-products.tsx'
import { LinkProduct } from './link-product.tsx'
import { writeProductColumns } from './product-columns.tsx'

const names = ['search', 'type', 'archived', 'do', 'providerProductId'] as const

const types = [
  { value: 'custom', label: 'Custom' },
  { value: 'provider', label: 'Payment provider' },
]

const archives = [
  { value: 'shown', label: 'Shown too' },
  { value: 'only', label: 'Only archived' },
]

export function Products() {
  const { values, set } = useFilters(names)
  const [, navigate] = useLocation()
  const mayWrite = useMay()
  const products = useProducts()
  const holders = useGet('/products/holders', {}, { isLive: true })
  const counts = new Map(holders.data?.products.map((each) => [each.productKey, each.holders]))
  const shown = (all: Product[]) => all.filter((product) => matches(product, values))
  const isFiltered = values.search !== undefined || values.type !== undefined || values.archived === 'only'
  const close = () => set('do', undefined)
  return (
    <>
      <PageHeader
        title="Products"
        actions={
          <>
            <CopyAs
              calls={[
                {
                  curl: toCurl({ path: '/v1/products' }),
                  sdk: 'for await (const product of tk.products.list()) {}',
                },
              ]}
            />
            {mayWrite && <NewProduct open={(what) => set('do', what)} />}
          </>
        }
      />
      <HoldersChart products={products.data} holders={holders} />
      <FilterBar
        right={
          products.data === undefined ? undefined : (
            <span role="status">{formatCount(shown(products.data).length, 'product')}</span>
          )
        }
      >
        <SearchField
          value={values.search}
          placeholder="Search name or key"
          onChange={(value) => set('search', value)}
        />
        <FilterPill
          label="Type"
          value={values.type}
          options={types}
          onChange={(value) => set('type', value)}
        />
        <FilterPill
          label="Archived"
          value={values.archived}
          options={archives}
          onChange={(value) => set('archived', value)}
        />
      </FilterBar>
      <Table
        caption="Products"
        list={toList(products, shown)}
        columns={writeProductColumns(holders.data === undefined ? undefined : counts)}
        rowKey={({ key }) => key}
        href={toPage}
        onEdit={(product) => mayWrite && !product.isArchived && navigate(`${toPage(product)}?do=edit`)}
        empty={
          isFiltered || (products.data?.length ?? 0) > 0 ? (
            <Empty text="No product matches these filters." />
          ) : (
            <NoProducts />
          )
        }
        expectedRows={5}
      />
      <CreateProduct isOpen={values.do === 'create' && mayWrite} onClose={close} />
      <LinkProduct
        isOpen={values.do === 'link' && mayWrite}
        providerProductId={values.providerProductId}
        onClose={close}
      />
      <ImportProducts isOpen={values.do === 'import' && mayWrite} onClose={close} />
    </>
  )
}

const toPage = ({ key }: Product): string => `/products/${encodeURIComponent(key)}`

function matches(
  { name, key, type, isArchived }: Product,
  { search, type: wanted, archived }: { search?: string; type?: string; archived?: string },
): boolean {
  if (archived === 'only' ? !isArchived : archived === undefined && isArchived) return false
  if (wanted !== undefined && wanted !== type) return false
  return `${name} ${key}`.toLowerCase().includes((search ?? '').toLowerCase())
}

function NewProduct({ open }: { open(what: 'create' | 'link' | 'import'): void }) {
  const hasProvider = useProviderMode() !== 'none'
  const lack = hasProvider ? '' : ' (no payment provider here)'
  return (
    <Menu>
      <Menu.Target>
        <Button leftSection={<IconPlus size={15} />} rightSection={<IconChevronDown size={14} />}>
          Add product
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => open('create')}>Create custom product</Menu.Item>
        <Menu.Item disabled={!hasProvider} onClick={() => open('link')}>
          Link a product of the payment provider{lack}
        </Menu.Item>
        <Menu.Item disabled={!hasProvider} onClick={() => open('import')}>
          Import all from the payment provider{lack}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function NoProducts() {
  return (
    <Empty
      text="A product is what customers hold: a plan or an add-on, with the features it gives. Add one above, or with this call; the default product is held by everybody who holds no other plan."
      call={toCurl({
        method: 'POST',
        path: '/v1/custom-products',
        body: { productKey: 'free', name: 'Free', isDefault: true },
      })}
    />
  )
}
