// Instances that were configured with different keys, as while a key is being changed: each goes on taking the one it was given.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { readConfig } from '../../src/config.ts'
import { type Service, startService } from '../../src/service.ts'
import { call, startTestService, type TestService } from '../service.ts'

const firstKey = 'tk_test_first_0123456789abcdefghijkl'
const secondKey = 'tk_test_second_0123456789abcdefghijk'

let service: TestService
let second: Service
before(async () => {
  service = await startTestService({ variables: { TOLLKEEPER_TEST_API_KEY: firstKey } })
  assert.equal(await ask(service.urls[0] as string, firstKey), 200)
  const variables = { PORT: '0', LOG_LEVEL: 'silent', TOLLKEEPER_DEMO: '0', RATE_LIMIT_ALL: '0' }
  const config = readConfig({ ...variables, TOLLKEEPER_TEST_API_KEY: secondKey })
  second = await startService(config, service.database.connection)
})
after(async () => {
  await second.close()
  await service.close()
})

const ask = async (url: string, key: string) =>
  (await call(undefined, url, 'GET', '/v1/features', undefined, { 'x-api-key': key })).status

describe('an instance started with another configured key', () => {
  it('takes its own', async () => {
    assert.equal(await ask(second.url, secondKey), 200)
  })

  it('does not take from one that runs the key it was configured with', async () => {
    assert.equal(await ask(service.urls[0] as string, firstKey), 200)
  })

  it('leaves made keys alone', async () => {
    assert.equal(await ask(service.urls[0] as string, service.keys.test), 200)
  })
})
