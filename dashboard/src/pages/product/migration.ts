// Moves holders of older versions to the latest: a few in one call, many in parts, so that nobody else waits for one long
// transaction, it can be watched, and it can be stopped between two parts.
import { type UseMutationResult, useMutation } from '@tanstack/react-query'
import type { Customer } from '@tollkeeper/sdk/src/generated/api.ts'
import { useRef, useState } from 'react'
import type { EnvironmentApi } from '../../api/client.ts'
import { useApi } from '../../api/environment.ts'

const atOnceAtMost = 500
const partSize = 100

type Wish = { productKey: string; latest: number; fromVersion: number | undefined; total: number }

export type Migration = {
  running: UseMutationResult<number, Error, Wish>
  /** How many were moved so far. */
  moved: number
  stop(): void
}

export function useMigration(): Migration {
  const api = useApi()
  const [moved, setMoved] = useState(0)
  const isStopped = useRef(false)
  const running = useMutation({
    mutationFn: (wish: Wish) => {
      setMoved(0)
      isStopped.current = false
      return wish.total <= atOnceAtMost
        ? moveAtOnce(api, wish)
        : moveInParts(api, wish, { onMoved: setMoved, isStopped: () => isStopped.current })
    },
    onSuccess: setMoved,
  })
  return {
    running,
    moved,
    stop: () => {
      isStopped.current = true
    },
  }
}

async function moveAtOnce(api: EnvironmentApi, { productKey, fromVersion }: Wish): Promise<number> {
  const body = fromVersion === undefined ? {} : { fromVersion }
  return (await api.post('/v1/products/{productKey}/migrate', { path: { productKey }, body })).migrated
}

type Watch = { onMoved(moved: number): void; isStopped(): boolean }

async function moveInParts(api: EnvironmentApi, wish: Wish, { onMoved, isStopped }: Watch): Promise<number> {
  const { productKey, fromVersion } = wish
  let moved = 0
  let cursor: string | undefined
  while (!isStopped()) {
    const query: { productKey: string; limit: number; cursor?: string } = {
      productKey,
      limit: partSize,
      ...(cursor === undefined ? {} : { cursor }),
    }
    const { customers, nextCursor } = await api.get('/v1/customers', { query })
    const customerIds = customers.filter((each) => isToMove(each, wish)).map(({ customerId }) => customerId)
    if (customerIds.length > 0) {
      const body = { customerIds, ...(fromVersion === undefined ? {} : { fromVersion }) }
      moved += (await api.post('/v1/products/{productKey}/migrate', { path: { productKey }, body })).migrated
      onMoved(moved)
    }
    if (nextCursor === null) break
    cursor = nextCursor
  }
  return moved
}

const isToMove = ({ products }: Customer, { productKey, latest, fromVersion }: Wish): boolean =>
  products.some(
    ({ key, version }) =>
      key === productKey && (fromVersion === undefined ? version < latest : version === fromVersion),
  )
