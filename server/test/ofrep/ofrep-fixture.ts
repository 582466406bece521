// What tests of the flags start from: a boolean feature, limits of every kind, and a caller without the contract's shape of errors.

import { type Answer, call } from '../service.ts'
import { startUsageFixture } from '../usage/usage-fixture.ts'

export async function startOfrepFixture() {
  const fixture = await startUsageFixture()
  const { makeFeature, makeProduct, make, service } = fixture
  await makeFeature('sso', { type: 'boolean' })
  await makeFeature('reports', { type: 'boolean' })
  await makeFeature('tokens')
  await makeFeature('seats', { tracksUsage: false })
  await make('PUT', '/v1/products/plan/feature-access', {
    featureAccess: [
      { featureKey: 'calls', hasAccess: true, limit: 10 },
      { featureKey: 'sso', hasAccess: true },
      { featureKey: 'tokens', hasAccess: true, isUnlimited: true },
      { featureKey: 'seats', hasAccess: true, limit: 3 },
    ],
  })
  await makeProduct('nothing', [])
  const url = service.urls[0] as string

  function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
    const payload = typeof body === 'string' ? body : JSON.stringify(body)
    return call(undefined, url, 'POST', path, payload, {
      'content-type': 'application/json',
      'x-api-key': service.keys.testRead,
      ...headers,
    })
  }

  const evaluate = (key: string, body: unknown, headers?: Record<string, string>) =>
    post(`/ofrep/v1/evaluate/flags/${encodeURIComponent(key)}`, body, headers)
  const evaluateAll = (body: unknown, headers?: Record<string, string>) =>
    post('/ofrep/v1/evaluate/flags', body, headers)
  return { ...fixture, url, evaluate, evaluateAll }
}
