// Lists that a page needs whole, such as the catalogue: read page by page, up to a bound.
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { Feature, Product } from '@tollkeeper/sdk/src/generated/api.ts'
import type { EnvironmentApi } from './client.ts'
import { useApi, useEnvironment } from './environment.ts'
import { liveMs } from './queries.ts'

const pageSize = 100
const pagesAtMost = 20

type Page<Row> = { rows: Row[]; nextCursor: string | null }
type Position = { limit: number; cursor?: string }

async function readWhole<Row>(read: (position: Position) => Promise<Page<Row>>): Promise<Row[]> {
  const rows: Row[] = []
  let cursor: string | undefined
  for (let page = 0; page < pagesAtMost; page++) {
    const answer = await read({ limit: pageSize, ...(cursor === undefined ? {} : { cursor }) })
    rows.push(...answer.rows)
    if (answer.nextCursor === null) break
    cursor = answer.nextCursor
  }
  return rows
}

function useWhole<Row>(
  name: unknown[],
  read: (api: EnvironmentApi, position: Position) => Promise<Page<Row>>,
  isLive = false,
): UseQueryResult<Row[], Error> {
  const [api, environment] = [useApi(), useEnvironment()]
  return useQuery({
    queryKey: [environment, 'whole', ...name],
    queryFn: () => readWhole((position) => read(api, position)),
    refetchInterval: isLive ? liveMs : false,
  })
}

/** Every feature, archived ones too, newest first. */
export const useFeatures = (): UseQueryResult<Feature[], Error> =>
  useWhole(['features'], async (api, position) => {
    const { features, nextCursor } = await api.get('/v1/features', {
      query: { ...position, includeArchived: true },
    })
    return { rows: features, nextCursor }
  })

/** Every product at its latest version, archived ones too, newest first. */
export const useProducts = ({ isLive = false } = {}): UseQueryResult<Product[], Error> =>
  useWhole(
    ['products'],
    async (api, position) => {
      const { products, nextCursor } = await api.get('/v1/products', {
        query: { ...position, includeArchived: true },
      })
      return { rows: products, nextCursor }
    },
    isLive,
  )

/** Every version of a product, the latest first; of an archived product, too. */
export const useVersions = (productKey: string): UseQueryResult<Product[], Error> =>
  useWhole(['versions', productKey], async (api, position) => {
    const { versions, nextCursor } = await api.get('/v1/products/{productKey}/versions', {
      path: { productKey },
      query: position,
    })
    return { rows: versions, nextCursor }
  })
