// Features: what can be used, how it is counted, and which products give it.
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { Feature, Product } from '@tollkeeper/sdk/src/generated/api.ts'
import { useLocation } from 'wouter'
import { toList } from '../../api/queries.ts'
import { useMay } from '../../api/session.ts'
import { useFeatures, useProducts } from '../../api/whole-lists.ts'
import { toCurl } from '../../parts/calls.ts'
import { CopyAs } from '../../parts/copy-as.tsx'
import { Empty } from '../../parts/empty.tsx'
import { FilterBar, FilterPill, SearchField, useFilters } from '../../parts/filters.tsx'
import { formatCount } from '../../parts/format.ts'
import { PageHeader } from '../../parts/page-header.tsx'
import { Table } from '../../parts/table.tsx'
import { CreateFeature } from './create-feature.tsx'
import { writeFeatureColumns } from './feature-columns.tsx'

const names = ['search', 'type', 'productKey', 'archived', 'do'] as const
type Values = Partial<Record<(typeof names)[number], string>>

const types = [
  { value: 'limit', label: 'Limit' },
  { value: 'boolean', label: 'On or off' },
]

const archives = [
  { value: 'shown', label: 'Shown too' },
  { value: 'only', label: 'Only archived' },
]

export function Features() {
  const { values, set } = useFilters(names)
  const [, navigate] = useLocation()
  const mayWrite = useMay()
  const features = useFeatures()
  const products = useProducts().data
  const shown = (all: Feature[]) => all.filter((feature) => matches(feature, values, products ?? []))
  const toPage = ({ featureKey }: Feature) => `/features/${encodeURIComponent(featureKey)}`
  return (
    <>
      <PageHeader
        title="Features"
        actions={
          <>
            <CopyAs
              calls={[
                {
                  curl: toCurl({ path: '/v1/features' }),
                  sdk: 'for await (const feature of tk.features.list()) {}',
                },
              ]}
            />
            {mayWrite && (
              <Button leftSection={<IconPlus size={15} />} onClick={() => set('do', 'create')}>
                Create feature
              </Button>
            )}
          </>
        }
      />
      <FilterBar
        right={
          features.data === undefined ? undefined : (
            <span role="status">{formatCount(shown(features.data).length, 'feature')}</span>
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
          label="Product"
          value={values.productKey}
          options={(products ?? []).map(({ key, name }) => ({ value: key, label: name }))}
          onChange={(value) => set('productKey', value)}
        />
        <FilterPill
          label="Archived"
          value={values.archived}
          options={archives}
          onChange={(value) => set('archived', value)}
        />
      </FilterBar>
      <Table
        caption="Features"
        list={toList(features, shown)}
        columns={writeFeatureColumns(products)}
        rowKey={({ featureKey }) => featureKey}
        href={toPage}
        onEdit={(feature) => mayWrite && navigate(`${toPage(feature)}?do=edit`)}
        empty={
          (features.data?.length ?? 0) > 0 ? (
            <Empty text="No feature matches these filters." />
          ) : (
            <NoFeatures />
          )
        }
        expectedRows={6}
      />
      <CreateFeature isOpen={values.do === 'create' && mayWrite} onClose={() => set('do', undefined)} />
    </>
  )
}

function matches(feature: Feature, values: Values, products: Product[]): boolean {
  const { featureKey, name, type, isArchived } = feature
  const { search = '', archived, productKey } = values
  if (archived === 'only' ? !isArchived : archived === undefined && isArchived) return false
  if (values.type !== undefined && values.type !== type) return false
  if (
    productKey !== undefined &&
    !gives(
      products.find(({ key }) => key === productKey),
      feature,
    )
  )
    return false
  return `${name} ${featureKey}`.toLowerCase().includes(search.toLowerCase())
}

const gives = (product: Product | undefined, { featureKey }: Feature): boolean =>
  product?.featureAccess.some((entry) => entry.featureKey === featureKey && entry.hasAccess) ?? false

function NoFeatures() {
  return (
    <Empty
      text="A feature is something a customer may use: on or off, or up to a limit with usage counted against it. Create one above, or with this call."
      call={toCurl({
        method: 'POST',
        path: '/v1/features',
        body: { featureKey: 'api_calls', name: 'API calls', type: 'limit', usageResetInterval: 'month' },
      })}
    />
  )
}
