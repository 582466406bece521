// One step of a history as the two sides take it: the HTTP request for the service, the method for the reference model.

import { toCatalogueCall } from './model-catalogue-call.ts'
import type { Instant, RecordItem, Step, Subject } from './model-steps.ts'
import type { ReferenceModel } from './reference-model.ts'
import type { Answer, Id } from './reference-state.ts'

export type Call = {
  method: string
  path: string
  body?: unknown
  headers?: Record<string, string>
  /** The customers whose map may change; all of them when absent. */
  customerId?: string | undefined
  ask(model: ReferenceModel): Answer
}

/** What names in steps stand for when their turn comes. */
export type Resolver = {
  instant(subject: Subject, instant: Instant): number
  /** The model's id and the service's; undefined while there are not so many. */
  event(n: number): { modelId: Id; id: string } | undefined
  bonus(n: number): { modelId: Id; id: string; expiresAt: number | undefined } | undefined
  /** Whose event or bonus it is; of an event recorded in a batch it is not remembered. */
  subjectOf(modelId: Id): Subject | undefined
}

function toRecordBody({ at, ...item }: RecordItem, resolver: Resolver) {
  return { ...item, ...(at === undefined ? {} : { occurredAt: resolver.instant(item, at) }) }
}

/** Undefined when the step has nothing to work on yet. */
export function toCall(step: Step, resolver: Resolver): Call | undefined {
  switch (step.do) {
    case 'record':
    case 'batch':
    case 'set':
    case 'amend':
    case 'delete event':
    case 'read event':
      return toUsageCall(step, resolver)
    case 'give':
    case 'change bonus':
    case 'delete bonus':
    case 'read bonus':
      return toBonusCall(step, resolver)
    case 'clock':
    case 'clock at expiry':
      return toClockCall(step, resolver)
    case 'check':
    case 'read customer':
    case 'read access':
    case 'list usage':
    case 'list bonuses':
      return toReadCall(step)
    case 'summarise':
      return toSummaryCall(step, resolver)
    case 'assign':
    case 'unassign':
    case 'move start':
    case 'delete customer':
    case 'create customer':
    case 'rename customer':
    case 'migrate one':
      return toCustomerCall(step, resolver)
    default:
      return toCatalogueCall(step)
  }
}

export type Of<Name extends Step['do']> = Extract<Step, { do: Name }>

function toUsageCall(
  step: Of<'record' | 'batch' | 'set' | 'amend' | 'delete event' | 'read event'>,
  resolver: Resolver,
): Call | undefined {
  if (step.do === 'record') {
    const { do: _do, ...item } = step
    const body = toRecordBody(item, resolver)
    const { customerId } = item
    return { method: 'POST', path: '/v1/usage', body, customerId, ask: (model) => model.recordUsage(body) }
  }
  if (step.do === 'batch') {
    const body = { events: step.items.map((item) => toRecordBody(item, resolver)) }
    return { method: 'POST', path: '/v1/usage/batch', body, ask: (model) => model.recordBatch(body) }
  }
  if (step.do === 'set') {
    const { do: _do, ...body } = step
    const { customerId } = body
    return { method: 'POST', path: '/v1/usage/set', body, customerId, ask: (model) => model.setUsage(body) }
  }
  const event = resolver.event(step.event)
  if (!event) return undefined
  const { modelId } = event
  const subject = resolver.subjectOf(modelId)
  const at = { path: `/v1/usage/${event.id}`, customerId: subject?.customerId }
  if (step.do === 'delete event')
    return { ...at, method: 'DELETE', ask: (model) => model.deleteUsage(modelId) }
  if (step.do === 'read event') return { ...at, method: 'GET', ask: (model) => model.getUsage(modelId) }
  const { do: _do, event: _event, at: instant, ...rest } = step
  const body = { ...rest, ...(instant && subject ? { occurredAt: resolver.instant(subject, instant) } : {}) }
  return { ...at, method: 'PUT', body, ask: (model) => model.amendUsage(modelId, body) }
}

function toBonusCall(
  step: Of<'give' | 'change bonus' | 'delete bonus' | 'read bonus'>,
  resolver: Resolver,
): Call | undefined {
  if (step.do === 'give') {
    const { do: _do, expires, idempotencyKey, ...rest } = step
    const body = { ...rest, ...(expires ? { expiresAt: resolver.instant(step, expires) } : {}) }
    return {
      method: 'POST',
      path: '/v1/bonuses',
      body,
      headers: idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey },
      customerId: step.customerId,
      ask: (model) => model.createBonus(body, idempotencyKey),
    }
  }
  const bonus = resolver.bonus(step.bonus)
  if (!bonus) return undefined
  const { modelId } = bonus
  const subject = resolver.subjectOf(modelId) as Subject
  const at = { path: `/v1/bonuses/${bonus.id}`, customerId: subject.customerId }
  if (step.do === 'delete bonus')
    return { ...at, method: 'DELETE', ask: (model) => model.deleteBonus(modelId) }
  if (step.do === 'read bonus') return { ...at, method: 'GET', ask: (model) => model.getBonus(modelId) }
  const { do: _do, bonus: _bonus, expires, ...rest } = step
  const expiry =
    expires === undefined ? {} : { expiresAt: expires === null ? null : resolver.instant(subject, expires) }
  const body = { ...rest, ...expiry }
  return { ...at, method: 'PUT', body, ask: (model) => model.updateBonus(modelId, body) }
}

function toClockCall(step: Of<'clock' | 'clock at expiry'>, resolver: Resolver): Call | undefined {
  const expiresAt = step.do === 'clock' ? undefined : resolver.bonus(step.bonus)?.expiresAt
  if (step.do === 'clock at expiry' && expiresAt === undefined) return undefined
  const now = step.do === 'clock' ? resolver.instant(step, step.to) : (expiresAt ?? 0) + step.plus
  return { method: 'PUT', path: '/v1/test-clock', body: { now }, ask: (model) => model.setClock({ now }) }
}

function toReadCall(
  step: Of<'check' | 'read customer' | 'read access' | 'list usage' | 'list bonuses'>,
): Call {
  const { customerId } = step
  const query = `customerId=${customerId}`
  switch (step.do) {
    case 'check': {
      const { featureKey, amount } = step
      const asked = { customerId, featureKey, ...(amount === undefined ? {} : { amount }) }
      const path = `/v1/check?${query}&featureKey=${featureKey}${amount === undefined ? '' : `&amount=${amount}`}`
      return { method: 'GET', path, customerId, ask: (model) => model.check(asked) }
    }
    case 'read customer':
      return {
        method: 'GET',
        path: `/v1/customers/${customerId}`,
        customerId,
        ask: (model) => model.getCustomer(customerId),
      }
    case 'read access':
      return {
        method: 'GET',
        path: `/v1/feature-access?${query}`,
        customerId,
        ask: (model) => model.featureAccess(customerId),
      }
    case 'list usage':
      return {
        method: 'GET',
        path: `/v1/usage?${query}&limit=100`,
        customerId,
        ask: (model) => model.listUsage({ customerId }),
      }
    case 'list bonuses':
      return {
        method: 'GET',
        path: `/v1/bonuses?${query}`,
        customerId,
        ask: (model) => model.listBonuses({ customerId }),
      }
  }
}

function toSummaryCall({ do: _do, ...step }: Of<'summarise'>, resolver: Resolver): Call {
  const { customerId, featureKey, interval } = step
  const [from, to] = [resolver.instant(step, step.from), resolver.instant(step, step.to)]
  const query = `customerId=${customerId}&featureKey=${featureKey}&interval=${interval}&from=${from}&to=${to}`
  const ask: Call['ask'] = (model) => model.summariseUsage({ customerId, featureKey, interval, from, to })
  return { method: 'GET', path: `/v1/usage/summary?${query}`, customerId, ask }
}

function toCustomerCall(
  step: Of<
    | 'assign'
    | 'unassign'
    | 'move start'
    | 'delete customer'
    | 'create customer'
    | 'rename customer'
    | 'migrate one'
  >,
  resolver: Resolver,
): Call {
  const { customerId } = step
  const path = `/v1/customers/${customerId}`
  if (step.do === 'delete customer') {
    return { method: 'DELETE', path, customerId, ask: (model) => model.deleteCustomer(customerId) }
  }
  if (step.do === 'create customer') {
    const { do: _do, ...body } = step
    const ask: Call['ask'] = (model) => model.createCustomer(body)
    return { method: 'POST', path: '/v1/customers', body, customerId, ask }
  }
  if (step.do === 'migrate one') {
    const { productKey } = step
    const body = { customerIds: [customerId] }
    const ask: Call['ask'] = (model) => model.migrate(productKey, body)
    return { method: 'POST', path: `/v1/products/${productKey}/migrate`, body, customerId, ask }
  }
  if (step.do === 'rename customer') {
    const body = { name: step.name }
    return { method: 'PUT', path, body, customerId, ask: (model) => model.updateCustomer(customerId, body) }
  }
  const body =
    step.do === 'move start'
      ? { usageStartedAt: resolver.instant(step, step.to) }
      : step.do === 'assign'
        ? { addCustomProductKeys: [step.productKey] }
        : { removeCustomProductKeys: [step.productKey] }
  return { method: 'PUT', path, body, customerId, ask: (model) => model.updateCustomer(customerId, body) }
}
