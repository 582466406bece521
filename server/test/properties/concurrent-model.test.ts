// Two instances, 24 callers at once and every kind of call: after each round the audit is clean, both instances answer alike,
// the laws hold, and for each customer there is an order of the calls that explains every answer.
// TOLLKEEPER_MODEL_SEED repeats a run as far as concurrency allows; `npm run model` is the same for longer.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { startTestService, type TestService } from '../service.ts'
import { runEpisode } from './concurrent-episode.ts'
import { GaveUp, newTally } from './customer-history.ts'

const firstSeed = Number(process.env.TOLLKEEPER_MODEL_SEED ?? Date.now() % 2 ** 31)
const fewestCalls = 3_000

let service: TestService
before(async () => {
  service = await startTestService({ instances: 2 })
})
after(() => service.close())

it(`${fewestCalls} concurrent calls have, for each customer, an order that explains every answer`, async (t) => {
  const tally = newTally()
  for (let seed = firstSeed; tally.calls < fewestCalls; seed++) {
    try {
      await runEpisode(service, seed, tally)
    } catch (error) {
      if (!(error instanceof GaveUp))
        throw new Error(`seed ${seed}: ${(error as Error).message}`, { cause: error })
    }
  }
  t.diagnostic(`first seed ${firstSeed}: ${JSON.stringify(tally)}`)
  assert.ok(tally.gaveUp <= tally.searches / 100, `${tally.gaveUp} of ${tally.searches} searches gave up`)
})
