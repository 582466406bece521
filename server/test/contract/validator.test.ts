// The validator itself: it must find what it is there to find, or every other test proves less than it seems to.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { assertContract, operations } from './validator.ts'

const feature = {
  id: 'x',
  featureKey: 'x',
  name: 'x',
  type: 'limit',
  tracksUsage: true,
  usageResetInterval: 'month',
  usageResetAnchor: 'calendar',
  isArchived: false,
  archivedAt: null,
  archivedReason: null,
}

function check(method: string, path: string, status: number, body: unknown, headers = {}): void {
  const text = JSON.stringify(body)
  assertContract(method, path, { status, body, text, headers: { 'x-request-id': 'req_1', ...headers } })
}

const code = { 'x-error-code': 'feature_not_found' }

describe('the contract validator', () => {
  it('knows the operations', () => assert.ok(operations.length >= 20))

  it('passes what keeps to the document', () => {
    check('GET', '/v1/features/x', 200, { feature })
    check('GET', '/v1/features/x', 404, { error: 'There is no feature "x".' }, code)
    check('GET', '/v1/customers/x', 200, null)
    check('PATCH', '/v1/features', 405, { error: 'No.' }, { ...code, allow: 'GET' })
  })

  const planted: [string, () => void, RegExp][] = [
    [
      'a field that is missing',
      () => check('GET', '/v1/features/x', 200, { feature: { ...feature, name: undefined } }),
      /getFeature broke its schema/,
    ],
    [
      'a field nobody documented',
      () => check('GET', '/v1/features/x', 200, { feature: { ...feature, secret: 1 } }),
      /must NOT have additional properties/,
    ],
    [
      'a value of a wrong type',
      () => check('GET', '/v1/features/x', 200, { feature: { ...feature, archivedAt: 'now' } }),
      /must be integer/,
    ],
    ['null where no null is allowed', () => check('GET', '/v1/features/x', 200, null), /broke its schema/],
    [
      'a status nobody documented',
      () => check('GET', '/v1/features/x', 418, { error: 'Tea.' }, code),
      /does not document 418/,
    ],
    [
      'an error with more than a sentence',
      () => check('GET', '/v1/features/x', 404, { error: 'No.', code: 1 }, code),
      /an error is \{error\} and no more/,
    ],
    [
      'an error without a code',
      () => check('GET', '/v1/features/x', 404, { error: 'No.' }),
      /without x-error-code/,
    ],
    [
      'an error with a code nobody documented',
      () => check('GET', '/v1/features/x', 404, { error: 'No.' }, { 'x-error-code': 'some_code' }),
      /some_code is missing/,
    ],
    [
      'an error that shows its insides',
      () => check('GET', '/v1/features/x', 500, { error: 'at node_modules/pg' }, code),
      /shows its insides/,
    ],
    [
      'an answer without a request id',
      () => check('GET', '/v1/features/x', 200, { feature }, { 'x-request-id': undefined }),
      /without x-request-id/,
    ],
    [
      'a 405 without Allow',
      () => check('PATCH', '/v1/features', 405, { error: 'No.' }, code),
      /without Allow/,
    ],
  ]
  for (const [what, plant, message] of planted) it(`finds ${what}`, () => assert.throws(plant, message))
})
