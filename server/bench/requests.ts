// The requests that the load is made of, as bytes, and what a right answer to each looks like.

export type Kind = 'read' | 'customer' | 'write' | 'batch'

/** `apiKeys` are rotated, since limits are per key; `customers` are as many, from `c<firstCustomer>` on. */
export type Subjects = { apiKeys: string[]; firstCustomer: number; customers: number; featureKey: string }

export type Sent = { text: string; events: { customer: string; eventKey: string }[] }

export const batchSize = 100

const head = (line: string, apiKey: string) =>
  `${line} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: ${apiKey}\r\n`

const withBody = (line: string, apiKey: string, body: string) =>
  `${head(line, apiKey)}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`

const writeEvent = (customer: string, featureKey: string, eventKey: string) =>
  `{"customerId":"${customer}","featureKey":"${featureKey}","eventKey":"${eventKey}","amount":1}`

/** Makes the requests of one run, one after the other; event keys begin with `run` and are never repeated in it. */
export function createRequests(kind: Kind, subjects: Subjects, run: string) {
  const { apiKeys, firstCustomer, customers, featureKey } = subjects
  let count = 0
  const pickCustomer = () => `c${firstCustomer + Math.floor(Math.random() * customers)}`
  return function next(): Sent {
    const apiKey = apiKeys[count % apiKeys.length] as string
    count++
    if (kind === 'read') {
      return {
        text: `${head(`GET /v1/feature-access?customerId=${pickCustomer()}`, apiKey)}\r\n`,
        events: [],
      }
    }
    if (kind === 'customer') {
      return { text: `${head(`GET /v1/customers/${pickCustomer()}`, apiKey)}\r\n`, events: [] }
    }
    if (kind === 'write') {
      const event = { customer: pickCustomer(), eventKey: `${run}-${count}` }
      const body = writeEvent(event.customer, featureKey, event.eventKey)
      return { text: withBody('POST /v1/usage', apiKey, body), events: [event] }
    }
    const events = Array.from({ length: batchSize }, (_, index) => ({
      customer: pickCustomer(),
      eventKey: `${run}-${count}-${index}`,
    }))
    const items = events.map(({ customer, eventKey }) => writeEvent(customer, featureKey, eventKey))
    return { text: withBody('POST /v1/usage/batch', apiKey, `{"events":[${items.join()}]}`), events }
  }
}

export const writeRepeat = (apiKey: string, featureKey: string, customer: string, eventKey: string): string =>
  withBody('POST /v1/usage', apiKey, writeEvent(customer, featureKey, eventKey))

/** Looks at as little as tells right from wrong: the answers of the service and of "plain" begin alike. */
export function isRight(kind: Kind, status: string, body: string): boolean {
  if (status !== '200') return false
  if (kind === 'read' || kind === 'customer') return body.startsWith('{"')
  if (kind === 'write') return body.startsWith('{"applied":true')
  return body.endsWith('"hasErrors":false}') && body.split('"applied":true').length === batchSize + 1
}
