// A customer created and deleted by many at once: each caller is told what it did.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { openRaces, type Races } from './races-fixture.ts'

let races: Races
before(async () => {
  races = await openRaces({ instances: 2 })
})
after(() => races.close())

it('creating and deleting one customer at once fails nobody, and as many are deleted as were made', async () => {
  for (let round = 0; round < 25; round++) {
    const customerId = `fleeting-${round}`
    const ask = (method: 'POST' | 'DELETE', instance: number) =>
      method === 'POST'
        ? races.request('POST', '/v1/customers', { customerId }, { instance })
        : races.request('DELETE', `/v1/customers/${customerId}`, undefined, { instance })
    const answers = await Promise.all([
      ask('POST', 0),
      ask('DELETE', 1),
      ask('DELETE', 0),
      ask('POST', 1),
      ask('DELETE', 1),
      ask('DELETE', 0),
    ])
    const [first, , , second] = answers
    for (const { status } of [first, second]) assert.ok([201, 409].includes(status), `POST ${status}`)
    const deletions = answers.filter((each) => each !== first && each !== second).map(({ status }) => status)
    assert.ok(
      deletions.every((status) => status === 200 || status === 404),
      `DELETE ${deletions}`,
    )
    const made = [first, second].filter(({ status }) => status === 201).length
    const deleted = deletions.filter((status) => status === 200).length
    const left = (await races.request('GET', `/v1/customers/${customerId}`)).body === null ? 0 : 1
    assert.equal(made, deleted + left)
  }
})
