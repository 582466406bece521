// From a call and its answer to the operations that a search puts in order, as one customer's ledger is concerned.
import { isDeepStrictEqual } from 'node:util'
import type { Answer as HttpAnswer } from '../service.ts'
import { toComparable } from './comparable-answer.ts'
import type { Operation } from './linearizability.ts'
import type { Call } from './model-call.ts'
import type { Id, State } from './reference-state.ts'
import type { UsageBody } from './reference-usage.ts'

export type AnsweredCall = {
  /** For counting. */
  kind: string
  call: Call
  answer: HttpAnswer
  startAt: number
  endAt: number
  /** Who asked whom. */
  by: string
}

/** When events occurred, of those that are known to have been left as they were recorded. */
export type Occurrences = ReadonlyMap<string, number>

/** None when the call is another customer's. */
export function toOperations(
  answered: AnsweredCall,
  customerId: string,
  occurrences: Occurrences,
): Operation[] {
  const { call, answer } = answered
  if (call.path === '/v1/usage/batch') return toBatchOperations(answered, customerId, occurrences)
  if (call.customerId !== undefined && call.customerId !== customerId) return []
  const isCustomerAnswer = call.method !== 'GET' && call.method !== 'DELETE' && isCustomerPath(call.path)
  if (isCustomerAnswer && answer.status < 300) return toCustomerOperations(answered, customerId)
  return [
    {
      ...toTimes(answered),
      text: describe(answered),
      isClock: call.path === '/v1/test-clock',
      isEffectless: call.method === 'GET' || answer.status >= 400 || answer.body?.applied === false,
      ask: call.ask,
      given: givenIds(answer.body),
      leaves: (state) => agrees(state, answer.body?.eventId, occurrences),
      answered: answer,
      isExplainedBy: createComparison(answer, isAboutAll(call)),
    },
  ]
}

const isCustomerPath = (path: string) => /^\/v1\/customers(\/[^/]*)?$/.test(path)

/** How many customers a migration moved says nothing about one of them. */
const isAboutAll = ({ path, customerId }: Call) => path.endsWith('/migrate') && customerId === undefined

const toTimes = ({ startAt, endAt }: AnsweredCall) => ({ startAt, endAt })

/** Many orders differ in nothing but the time that an event was given; what is listed later tells it at once. */
function agrees(state: State, eventId: string | undefined, occurrences: Occurrences): boolean {
  const occurredAt = eventId === undefined ? undefined : occurrences.get(eventId)
  if (occurredAt === undefined) return true
  const event = state.events.find(({ id }) => id === eventId)
  return event === undefined || event.occurredAt === occurredAt
}

/** Of the events listed at rest, those that no call changed in the meantime. */
export function findOccurrences(answered: AnsweredCall[]): Occurrences {
  const changed = new Set(
    answered.filter(({ call }) => call.method === 'PUT').map(({ call }) => call.path.split('/').at(-1)),
  )
  const lists = answered.filter(({ call }) => call.method === 'GET' && call.path.startsWith('/v1/usage?'))
  const events: { id: string; occurredAt: number }[] = lists.flatMap(
    ({ answer }) => answer.body?.events ?? [],
  )
  return new Map(events.filter(({ id }) => !changed.has(id)).map(({ id, occurredAt }) => [id, occurredAt]))
}

function givenIds(body: HttpAnswer['body']): Id[] {
  return [body?.eventId, body?.bonus?.bonusId].filter((id) => id !== undefined)
}

/** A test for the model's answer; what it is held against is brought into form once. */
function createComparison(answer: HttpAnswer, isStatusEnough = false): Operation['isExplainedBy'] {
  const isBody = createBodyComparison(answer.body)
  return ({ status, code, body }) => {
    if (status !== answer.status) return false
    if (code !== undefined && code !== answer.headers['x-error-code']) return false
    return status >= 400 || isStatusEnough || isBody(body)
  }
}

function createBodyComparison(actual: unknown): (expected: unknown) => boolean {
  const comparable = toComparable(actual)
  return (expected) => isDeepStrictEqual(toComparable(expected), comparable)
}

/** The items of a batch are independent and in order: others may come between them. */
function toBatchOperations(
  answered: AnsweredCall,
  customerId: string,
  occurrences: Occurrences,
): Operation[] {
  const { call, answer } = answered
  const { events } = call.body as { events: UsageBody[] }
  const operations: Operation[] = []
  for (const [index, item] of events.entries()) {
    if (item.customerId !== customerId) continue
    const outcome = answer.body?.results?.[index]
    const isResult = createBodyComparison(outcome?.result)
    operations.push({
      ...toTimes(answered),
      text: `${describeCall(answered, `events[${index}]`, item)} → ${JSON.stringify(outcome)}`,
      after: operations.at(-1),
      isEffectless: outcome?.result?.applied !== true,
      ask: (model) => model.recordUsage(item),
      given: givenIds(outcome?.result),
      leaves: (state) => agrees(state, outcome?.result?.eventId, occurrences),
      answered: { status: outcome?.success ? 200 : 400, body: outcome?.result },
      isExplainedBy: ({ status, body }) =>
        outcome?.success === true ? status === 200 && isResult(body) : outcome !== undefined && status >= 400,
    })
  }
  return operations
}

/** A customer is written, and then shown as it is by then. */
function toCustomerOperations(answered: AnsweredCall, customerId: string): Operation[] {
  const { call, answer } = answered
  const { providerCustomerId } = answer.body
  const write: Operation = {
    ...toTimes(answered),
    text: describeCall(answered, `→ ${answer.status}`, call.body),
    ask: (model) =>
      call.method === 'POST'
        ? model.createCustomer(call.body as { customerId: string }, providerCustomerId)
        : call.ask(model),
    answered: { status: answer.status },
    isExplainedBy: ({ status }) => status === answer.status,
  }
  const isShown = createBodyComparison(answer.body)
  const show: Operation = {
    ...toTimes(answered),
    text: `${answered.by} … and shows ${answer.text}`,
    isEffectless: true,
    after: write,
    ask: (model) => model.getCustomer(customerId),
    answered: { status: 200, body: answer.body },
    isExplainedBy: ({ body }) => isShown(body),
  }
  return [write, show]
}

function describe(answered: AnsweredCall): string {
  const { status, text } = answered.answer
  return `${describeCall(answered, '', answered.call.body)} → ${status} ${text}`
}

function describeCall({ call, by }: AnsweredCall, more: string, body: unknown): string {
  const key = call.headers?.['idempotency-key']
  const sent = body === undefined ? [] : [JSON.stringify(body)]
  const keyed = key === undefined ? [] : [`(Idempotency-Key: ${key})`]
  return [by, call.method, call.path, ...keyed, ...sent, ...(more === '' ? [] : [more])].join(' ')
}
