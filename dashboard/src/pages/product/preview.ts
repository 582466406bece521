// Who a configuration would touch, and who would be over a limit under it; asked when typing pauses.
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useApi, useEnvironment } from '../../api/environment.ts'
import type { AnswerOf, EnvironmentOperations } from '../../api/operations.ts'
import type { AccessItem } from '../../parts/access-cell.ts'
import { formatCount } from '../../parts/format.ts'

export type Preview = AnswerOf<EnvironmentOperations['POST /products/{productKey}/preview']>

/** A customer may be over several limits; while all are listed, customers are counted. */
export function writeOver({ overLimit, overLimitCount }: Preview): string {
  const customers = new Set(overLimit.map(({ customerId }) => customerId)).size
  return overLimit.length === overLimitCount
    ? `${formatCount(customers, 'customer')} would be over ${customers === 1 ? 'its' : 'their'} limit`
    : `${formatCount(overLimitCount, 'limit')} would be exceeded`
}

const pauseMs = 250

/** `version`: for the holders of that one instead of the latest. `items` undefined: nothing to ask. */
export function usePreview(
  productKey: string,
  items: AccessItem[] | undefined,
  version?: number,
): UseQueryResult<Preview, Error> {
  const [api, environment] = [useApi(), useEnvironment()]
  const [asked] = useDebouncedValue(items === undefined ? undefined : JSON.stringify(items), pauseMs)
  return useQuery({
    queryKey: [environment, 'preview', productKey, version, asked],
    queryFn: () =>
      api.post('/products/{productKey}/preview', {
        path: { productKey },
        body: {
          featureAccess: JSON.parse(asked as string) as AccessItem[],
          ...(version === undefined ? {} : { version }),
        },
      }),
    enabled: asked !== undefined && items !== undefined,
    placeholderData: keepPreviousData,
  })
}
