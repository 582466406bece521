// How pages read and change: answers are kept by environment, path and input; after a change everything that is shown is read
// again, so that no page has to know what a change touches.
import {
  type InfiniteData,
  keepPreviousData,
  MutationCache,
  QueryClient,
  type UseMutationResult,
  type UseQueryResult,
  useInfiniteQuery,
  useMutation,
  useQuery,
} from '@tanstack/react-query'
import type { EnvironmentApi } from './client.ts'
import { useApi, useEnvironment } from './environment.ts'
import { ApiError } from './error.ts'
import type { AnswerOf, EnvironmentOperations, InputOf, OperationOf, PathOf } from './operations.ts'

type GetPath = PathOf<EnvironmentOperations, 'GET'>
type Get<Path extends string> = OperationOf<EnvironmentOperations, 'GET', Path>

/** How often a page that shows what happens now is read again, while somebody looks at it. */
export const liveMs = 4000

export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    defaultOptions: {
      queries: { staleTime: 2000, gcTime: 600_000, retry: shouldRetry, retryDelay: 1000 },
    },
    mutationCache: new MutationCache({ onSuccess: () => client.invalidateQueries() }),
  })
  return client
}

const shouldRetry = (failures: number, error: unknown): boolean =>
  failures < 1 && !(error instanceof ApiError && error.status >= 400 && error.status < 500)

type ReadOptions = {
  /** Read again every few seconds. */
  isLive?: boolean
  /** false: not yet, something that it needs is missing. */
  isEnabled?: boolean
  /** What was there stays while other filters are read. */
  keepsPrevious?: boolean
}

const toQueryOptions = ({ isLive = false, isEnabled = true, keepsPrevious = false }: ReadOptions) => ({
  enabled: isEnabled,
  refetchInterval: isLive ? liveMs : (false as const),
  ...(keepsPrevious ? { placeholderData: keepPreviousData } : {}),
})

/** Reads a route of the environment: `useGet('/v1/customers/{customerId}', { path: { customerId } })`. */
export function useGet<Path extends GetPath>(
  path: Path,
  input: InputOf<Get<Path>>,
  options: ReadOptions = {},
): UseQueryResult<AnswerOf<Get<Path>>, Error> {
  const [api, environment] = [useApi(), useEnvironment()]
  const call = api.get as unknown as (path: string, input: unknown) => Promise<AnswerOf<Get<Path>>>
  return useQuery<AnswerOf<Get<Path>>, Error>({
    queryKey: [environment, path, input],
    queryFn: () => call(path, input),
    ...toQueryOptions(options),
  } as never) as UseQueryResult<AnswerOf<Get<Path>>, Error>
}

/** What a table shows: rows as they come, page by page. */
export type List<Row> = {
  /** undefined while the first page is on its way. */
  rows: Row[] | undefined
  error: Error | null
  retry(): void
  hasMore: boolean
  loadMore(): void
  isLoadingMore: boolean
}

/** Reads a route that has a nextCursor: `useList('/customer-rows', { query }, (answer) => answer.customers)`. */
export function useList<Path extends GetPath, Row>(
  path: Path,
  input: InputOf<Get<Path>>,
  pick: (answer: AnswerOf<Get<Path>>) => Row[],
  options: ReadOptions = {},
): List<Row> & { first: AnswerOf<Get<Path>> | undefined } {
  type Answer = AnswerOf<Get<Path>>
  const [api, environment] = [useApi(), useEnvironment()]
  const call = api.get as unknown as (path: string, input: unknown) => Promise<Answer>
  const query = useInfiniteQuery<Answer, Error, InfiniteData<Answer>, unknown[], string | undefined>({
    queryKey: [environment, path, input, 'list'],
    queryFn: ({ pageParam }) => call(path, withCursor(input, pageParam)),
    initialPageParam: undefined,
    getNextPageParam: (answer) => (answer as { nextCursor?: string | null }).nextCursor ?? undefined,
    ...(toQueryOptions(options) as object),
  })
  return {
    rows: query.data?.pages.flatMap(pick),
    first: query.data?.pages[0],
    error: query.error,
    retry: () => void query.refetch(),
    hasMore: query.hasNextPage,
    loadMore: () => void query.fetchNextPage(),
    isLoadingMore: query.isFetchingNextPage,
  }
}

function withCursor(input: unknown, cursor: string | undefined): unknown {
  if (cursor === undefined) return input
  const { query } = input as { query?: object }
  return { ...(input as object), query: { ...query, cursor } }
}

/** An answer that is one list as a whole, for a table. */
export const toList = <Answer, Row>(
  query: UseQueryResult<Answer, Error>,
  pick: (answer: Answer) => Row[],
): List<Row> => ({
  rows: query.data === undefined ? undefined : pick(query.data),
  error: query.error,
  retry: () => void query.refetch(),
  hasMore: false,
  loadMore: () => {},
  isLoadingMore: false,
})

/** A change: `const remove = useChange((api, id: string) => api.delete('/v1/usage/{id}', { path: { id } }))`. */
export function useChange<Input, Answer>(
  change: (api: EnvironmentApi, input: Input) => Promise<Answer>,
): UseMutationResult<Answer, Error, Input> {
  const api = useApi()
  return useMutation({ mutationFn: (input: Input) => change(api, input) })
}
