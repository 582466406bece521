// A product's feature access: the matrix with its filters, the bar with what was edited, and its review.
import { Button, Skeleton } from '@mantine/core'
import type { Feature, Product } from '@tollkeeper/sdk/src/generated/api.ts'
import { useState } from 'react'
import { Link } from 'wouter'
import { useEnvironment } from '../../api/environment.ts'
import { useMay } from '../../api/session.ts'
import { useFeatures } from '../../api/whole-lists.ts'
import { toCurl } from '../../parts/calls.ts'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import { FilterBar, FilterPill, SearchField, useFilters } from '../../parts/filters.tsx'
import { ChangeBar } from './change-bar.tsx'
import { computeChanges, editDraft, findUnfinished, toItems, useDraft } from './draft.ts'
import { differs, isIncluded, Matrix } from './matrix.tsx'
import { usePreview } from './preview.ts'
import classes from './product.module.css'
import { Review } from './review.tsx'

type Props = {
  /** The latest first. */
  versions: [Product, ...Product[]]
  holders: Map<number, number> | undefined
}

const versionsAtFirst = 4
const rowsWithoutSearch = 12

export function AccessEditor({ versions, holders }: Props) {
  const features = useFeatures()
  const { values, set } = useFilters(['rows', 'search', 'versions'] as const)
  const title = <h2 id="access">Feature access</h2>
  if (features.data === undefined) {
    return (
      <>
        <FilterBar>{title}</FilterBar>
        {features.error === null ? (
          <Skeleton height={320} />
        ) : (
          <Failure error={features.error} retry={() => void features.refetch()} />
        )}
      </>
    )
  }
  const rows = listRows(features.data, versions)
  if (rows.length === 0)
    return (
      <>
        {title}
        <NoFeatures />
      </>
    )
  const shownVersions = values.versions === 'all' ? versions : versions.slice(0, versionsAtFirst)
  return (
    <>
      <FilterBar
        right={
          <>
            {versions.length > shownVersions.length && (
              <Button variant="subtle" color="gray" onClick={() => set('versions', 'all')}>
                Show all {versions.length} versions
              </Button>
            )}
            {rows.length > rowsWithoutSearch && (
              <SearchField
                value={values.search}
                placeholder="Search features"
                onChange={(value) => set('search', value)}
              />
            )}
            <FilterPill
              label="Features"
              value={values.rows}
              options={[
                { value: 'included', label: 'Included only' },
                ...(versions.length > 1
                  ? [{ value: 'differences', label: 'Different between versions' }]
                  : []),
              ]}
              onChange={(value) => set('rows', value)}
            />
          </>
        }
      >
        {title}
      </FilterBar>
      <Editor
        key={versions[0].version}
        rows={rows}
        shown={filterRows(rows, versions, values)}
        {...{ versions, shownVersions, holders }}
      />
    </>
  )
}

type EditorProps = Props & { rows: Feature[]; shown: Feature[]; shownVersions: Product[] }

function Editor({ versions, shownVersions, rows, shown, holders }: EditorProps) {
  const [product] = versions
  const mayEdit = useMay() && !product.isArchived
  const [draft, setDraft] = useDraft(`${useEnvironment()} ${product.key} ${product.version}`)
  const [isReviewed, setReviewed] = useState(false)
  const changes = computeChanges(product.featureAccess, draft, rows)
  const items = toItems(product.featureAccess, changes, rows)
  const isReady = changes.length > 0 && findUnfinished(changes) === undefined
  const preview = usePreview(product.key, isReady ? items : undefined)
  const finish = () => {
    setDraft({})
    setReviewed(false)
  }
  return (
    <>
      {shown.length === 0 ? (
        <p className={classes.soft}>No feature matches these filters.</p>
      ) : (
        <Matrix
          features={shown}
          versions={shownVersions}
          holders={holders}
          draft={draft}
          edit={
            mayEdit
              ? (featureKey, cell) =>
                  setDraft(
                    editDraft(
                      draft,
                      product.featureAccess.find((entry) => entry.featureKey === featureKey),
                      featureKey,
                      cell,
                    ),
                  )
              : undefined
          }
        />
      )}
      <ChangeBar
        changes={changes}
        preview={preview}
        onDiscard={() => setDraft({})}
        onReview={() => setReviewed(true)}
      />
      <Review
        {...{ product, changes, items, preview }}
        isOpen={isReviewed}
        onClose={() => setReviewed(false)}
        onSaved={finish}
      />
    </>
  )
}

/** The oldest first; archived ones only where a version has them. */
function listRows(features: Feature[], versions: Product[]): Feature[] {
  const listed = new Set(
    versions.flatMap(({ featureAccess }) => featureAccess.map((entry) => entry.featureKey)),
  )
  return features.filter(({ featureKey, isArchived }) => !isArchived || listed.has(featureKey)).reverse()
}

function filterRows(
  features: Feature[],
  versions: Product[],
  { rows, search = '' }: { rows?: string; search?: string },
): Feature[] {
  return features
    .filter((feature) => rows !== 'included' || isIncluded(feature, versions))
    .filter((feature) => rows !== 'differences' || differs(feature, versions))
    .filter(({ name, featureKey }) => `${name} ${featureKey}`.toLowerCase().includes(search.toLowerCase()))
}

function NoFeatures() {
  return (
    <Empty
      text="What a product gives is told feature by feature, and there is no feature yet."
      action={
        <Button component={Link} href="/features?do=create" variant="default">
          Create feature
        </Button>
      }
      call={toCurl({
        method: 'POST',
        path: '/v1/features',
        body: { featureKey: 'api_calls', name: 'API calls', type: 'limit' },
      })}
    />
  )
}
