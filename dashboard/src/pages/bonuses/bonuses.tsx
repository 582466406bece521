// Bonuses of all customers: open, expiring soon, used up and expired; given, edited and deleted here.
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import type { EnvironmentOperations } from '../../api/operations.ts'
import { useList } from '../../api/queries.ts'
import { useMay } from '../../api/session.ts'
import { useFeatures } from '../../api/whole-lists.ts'
import { toCurl } from '../../parts/calls.ts'
import { CopyAs } from '../../parts/copy-as.tsx'
import { CustomerFilter } from '../../parts/customer-field.tsx'
import { Empty } from '../../parts/empty.tsx'
import { FilterBar, FilterPill, useFilters } from '../../parts/filters.tsx'
import { useNow } from '../../parts/now.ts'
import { PageHeader } from '../../parts/page-header.tsx'
import { Table } from '../../parts/table.tsx'
import { type BonusRow, writeBonusColumns } from './bonus-columns.tsx'
import { BonusDrawer } from './bonus-drawer.tsx'
import { GiveBonus } from './give-bonus.tsx'

const names = ['state', 'featureKey', 'customerId', 'do', 'bonus', 'amount'] as const

const states = [
  { value: 'open', label: 'Open' },
  { value: 'expiring', label: 'Expiring soon' },
  { value: 'used', label: 'Used up' },
  { value: 'expired', label: 'Expired' },
]

export function Bonuses() {
  const { values, set } = useFilters(names)
  const mayWrite = useMay()
  const now = useNow()
  const { state, featureKey, customerId } = values
  const query = { state, featureKey, customerId } as NonNullable<
    EnvironmentOperations['GET /bonus-rows']['query']
  >
  const list = useList('/bonus-rows', { query }, (answer): BonusRow[] => answer.bonuses, {
    isLive: true,
    keepsPrevious: true,
  })
  const isFiltered = state !== undefined || featureKey !== undefined || customerId !== undefined
  const features = useFeatures().data?.filter(({ tracksUsage }) => tracksUsage) ?? []
  return (
    <>
      <PageHeader
        title="Bonuses"
        actions={
          <>
            <CopyAs calls={[listCall]} />
            {mayWrite && (
              <Button leftSection={<IconPlus size={15} />} onClick={() => set('do', 'give')}>
                Give bonus
              </Button>
            )}
          </>
        }
      />
      <FilterBar>
        <CustomerFilter value={customerId} onChange={(value) => set('customerId', value)} />
        <FilterPill label="State" value={state} options={states} onChange={(value) => set('state', value)} />
        <FilterPill
          label="Feature"
          value={featureKey}
          options={features.map((feature) => ({ value: feature.featureKey, label: feature.name }))}
          onChange={(value) => set('featureKey', value)}
        />
      </FilterBar>
      <Table
        caption="Bonuses"
        list={list}
        columns={writeBonusColumns(now, new Map(features.map((each) => [each.featureKey, each.name])))}
        rowKey={({ bonusId }) => bonusId}
        onOpen={({ bonusId }) => set('bonus', bonusId)}
        onEdit={({ bonusId }) => set('bonus', bonusId)}
        empty={isFiltered ? <Empty text="No bonus matches these filters." /> : <NoBonuses />}
      />
      <GiveBonus
        isOpen={values.do === 'give' && mayWrite}
        customerId={customerId}
        featureKey={featureKey}
        onClose={() => set('do', undefined)}
      />
      <BonusDrawer bonusId={values.bonus} onClose={() => set('bonus', undefined)} />
    </>
  )
}

const listCall = {
  name: 'Bonuses of a customer',
  curl: toCurl({ path: '/v1/bonuses?customerId=acme' }, window.location.origin),
  sdk: `for await (const bonus of tk.bonuses.list({ customerId: 'acme' })) {}`,
}

function NoBonuses() {
  return (
    <Empty
      text="A bonus is extra allowance for one customer: drawn on when the plan’s is used up, across periods, until it is gone or expires. Give one above, or with this call."
      call={toCurl({
        method: 'POST',
        path: '/v1/bonuses',
        body: { customerId: 'acme', featureKey: 'api_calls', amount: 500, reason: 'Sorry for the outage' },
      })}
    />
  )
}
