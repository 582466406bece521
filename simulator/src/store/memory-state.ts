// The state of a store in memory: plain data that fits into a file, and what one session does with one environment's part.
import type { Environment } from '../environment.ts'
import { contains } from './contains.ts'
import type { Delivery, ObjectFilter, StoredAnswer, StoredBody, StoreSession } from './store.ts'

type Row = { body: StoredBody; owner: string | null; dueAt: number | null; position: number }
type AnswerRow = StoredAnswer & { answeredAt: number }
type DeliveryRow = Delivery & { nextAttemptAt: number }

type EnvironmentState = { objects: Map<string, Row>; answers: Map<string, AnswerRow> }
export type MemoryState = {
  environments: Record<Environment, EnvironmentState>
  deliveries: Map<number, DeliveryRow>
  lastNumber: number
  /** Unix ms at which an environment's clock stands still; null follows the real one. */
  clock: Record<Environment, number | null>
}

/** Beyond these the simulator refuses to grow; a test account holds a few thousand. */
const maxObjects = 200_000
const maxAnswers = 50_000

export function createState(): MemoryState {
  const empty = (): EnvironmentState => ({ objects: new Map(), answers: new Map() })
  return {
    environments: { test: empty(), live: empty() },
    deliveries: new Map(),
    lastNumber: 0,
    clock: { test: null, live: null },
  }
}

type Undo = () => void

/** Sets an entry and gives the way back. */
function put<K, V>(map: Map<K, V>, key: K, value: V): Undo {
  const had = map.has(key)
  const before = map.get(key) as V
  map.set(key, value)
  return () => {
    if (had) map.set(key, before)
    else map.delete(key)
  }
}

function isMatch({ body, owner }: Row, filter: ObjectFilter): boolean {
  const { statuses, types, createdFrom, createdTo } = filter
  return (
    body.object === filter.object &&
    !('deleted' in body) &&
    (filter.owner === undefined || owner === filter.owner) &&
    (filter.contains === undefined || contains(body, filter.contains)) &&
    (statuses === undefined || statuses.includes(String(body.status))) &&
    (types === undefined || types.includes(String(body.type))) &&
    (createdFrom === undefined || body.created >= createdFrom) &&
    (createdTo === undefined || body.created <= createdTo)
  )
}

/** `undo` collects the way back of every change, latest last. */
export function openSession(state: MemoryState, environment: Environment, undo: Undo[]): StoreSession {
  const { objects, answers } = state.environments[environment]
  // Copies in and out: who holds a body may change it without changing the store.
  const copy = (row: Row) => structuredClone(row.body)
  const positionOf = (id: string) => objects.get(id)?.position

  return {
    async findObjects(ids) {
      return ids.flatMap((id) => objects.get(id) ?? []).map(copy)
    },
    async listObjects(filter) {
      const below = filter.startingAfter === undefined ? Infinity : positionOf(filter.startingAfter)
      const above = filter.endingBefore === undefined ? 0 : positionOf(filter.endingBefore)
      if (below === undefined || above === undefined) return []
      const isBackwards = filter.endingBefore !== undefined
      return [...objects.values()]
        .filter((row) => row.position < below && row.position > above && isMatch(row, filter))
        .toSorted((one, other) => (other.position - one.position) * (isBackwards ? -1 : 1))
        .slice(0, filter.limit + 1)
        .map(copy)
    },
    async findDue(nowSeconds, limit) {
      return [...objects.values()]
        .filter((row): row is Row & { dueAt: number } => row.dueAt !== null && row.dueAt <= nowSeconds)
        .toSorted((one, other) => one.dueAt - other.dueAt || one.position - other.position)
        .slice(0, limit)
        .map(copy)
    },
    async saveObject(body, place) {
      const known = objects.get(body.id)
      if (known === undefined && objects.size >= maxObjects) throw new Error('The store in memory is full.')
      const position = known?.position ?? ++state.lastNumber
      // By way of JSON, as every other store keeps it: fields that are undefined are not there.
      undo.push(put(objects, body.id, { body: JSON.parse(JSON.stringify(body)), ...place, position }))
    },
    async findAnswer(idempotencyKey) {
      return structuredClone(answers.get(idempotencyKey))
    },
    async saveAnswer(idempotencyKey, answer, answeredAt) {
      if (answers.size >= maxAnswers) answers.delete(answers.keys().next().value as string)
      const kept = JSON.parse(JSON.stringify(answer)) as StoredAnswer
      undo.push(put(answers, idempotencyKey, { ...kept, answeredAt }))
    },
    async enqueueDeliveries(eventId, dueAts) {
      for (const nextAttemptAt of dueAts) {
        const deliveryId = ++state.lastNumber
        const row = { deliveryId, environment, eventId, attempts: 0, nextAttemptAt }
        undo.push(put(state.deliveries, deliveryId, row))
      }
    },
    async attempt(work) {
      const from = undo.length
      try {
        return await work()
      } catch (error) {
        for (const step of undo.splice(from).reverse()) step()
        throw error
      }
    },
  }
}
