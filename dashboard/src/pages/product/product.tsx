// A product: what it is, its matrix of features and versions, who holds which version, and its prices.
import { Skeleton } from '@mantine/core'
import type { Product as ApiProduct } from '@tollkeeper/sdk/src/generated/api.ts'
import { useGet } from '../../api/queries.ts'
import { useProviderMode } from '../../api/session.ts'
import { useVersions } from '../../api/whole-lists.ts'
import type { PageProps } from '../../pages.tsx'
import { toCurl } from '../../parts/calls.ts'
import { CopyAs, type NamedCall } from '../../parts/copy-as.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Id } from '../../parts/id.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { ProductBadges } from '../../parts/product-badges.tsx'
import { Time } from '../../parts/time.tsx'
import { AccessEditor } from './access-editor.tsx'
import { Holders } from './holders.tsx'
import { Prices } from './prices.tsx'
import classes from './product.module.css'
import { ProductActions } from './product-actions.tsx'

export function Product({ params }: PageProps) {
  const productKey = params.productKey ?? ''
  const { data, error, refetch } = useVersions(productKey)
  const product = data?.[0]
  if (product === undefined) {
    return (
      <>
        <PageHeader title={productKey} isLoading />
        {error === null ? <Skeleton height={420} /> : <Failure error={error} retry={() => void refetch()} />}
      </>
    )
  }
  return <Shown key={productKey} versions={data as [ApiProduct, ...ApiProduct[]]} />
}

function Shown({ versions }: { versions: [ApiProduct, ...ApiProduct[]] }) {
  const [product] = versions
  const { data } = useGet('/products/holders', {}, { isLive: true })
  const counted = data?.products.find(({ productKey }) => productKey === product.key)
  const holders = data && new Map(counted?.byVersion.map(({ version, holders }) => [version, holders]))
  return (
    <>
      <PageHeader
        title={product.name}
        beside={<ProductBadges product={product} hasType />}
        below={<Below product={product} />}
        actions={
          <>
            <CopyAs calls={writeCalls(product.key)} />
            <ProductActions product={product} holders={counted?.holders} />
          </>
        }
      />
      {product.isArchived && (
        <p className={classes.notice}>
          Archived: whoever holds it keeps it, nobody new gets it, and it cannot be edited until it is
          unarchived.
        </p>
      )}
      <section className={classes.part} aria-labelledby="access">
        <AccessEditor versions={versions} holders={holders} />
      </section>
      <div className={classes.columns}>
        <Holders versions={versions} holders={holders} />
        <Prices product={product} />
      </div>
    </>
  )
}

function Below({ product }: { product: ApiProduct }) {
  const { key, providerProductId, archivedAt, metadata } = product
  // A simulated account has no pages to open.
  const isEnabled = useProviderMode() === 'account' && providerProductId !== null
  const address = useGet('/provider', {}, { isEnabled }).data?.dashboardUrl
  return (
    <>
      <Id value={key} />
      {providerProductId !== null && (
        <span>
          at the payment provider <Id value={providerProductId} />
          {address !== undefined && (
            <a href={`${address}/products/${providerProductId}`} target="_blank" rel="noreferrer">
              Open there
            </a>
          )}
        </span>
      )}
      {archivedAt !== null && (
        <span>
          archived <Time at={archivedAt} />
        </span>
      )}
      {Object.entries(metadata).map(([name, value]) => (
        <span key={name} className={classes.metadata}>
          {name}: {value}
        </span>
      ))}
    </>
  )
}

function writeCalls(productKey: string): NamedCall[] {
  const path = `/v1/products/${encodeURIComponent(productKey)}`
  const key = JSON.stringify(productKey)
  return [
    { name: 'Get product', curl: toCurl({ path }), sdk: `await tk.products.get(${key})` },
    {
      name: 'List versions',
      curl: toCurl({ path: `${path}/versions` }),
      sdk: `for await (const version of tk.products.listVersions(${key})) {}`,
    },
    {
      name: 'What migrating would do',
      curl: toCurl({ method: 'POST', path: `${path}/migrate`, body: { dryRun: true } }),
      sdk: `await tk.products.migrate(${key}, { dryRun: true })`,
    },
  ]
}
