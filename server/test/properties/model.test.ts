// Random histories on the real service, each step held against the reference model, the laws and an audit of the ledger.
// TOLLKEEPER_MODEL_SEED and TOLLKEEPER_MODEL_RUNS repeat a run or make it longer.
import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import fc from 'fast-check'
import { auditLedger, type Difference } from '../../src/storage/audit/audit-ledger.ts'
import { startTestService, type TestService } from '../service.ts'
import { beginning, step } from './model-arbitraries.ts'
import { startFixture } from './model-fixture.ts'
import { type Beginning, customerIds, type Step } from './model-steps.ts'

const seed = Number(process.env.TOLLKEEPER_MODEL_SEED ?? Date.now() % 2 ** 31)
const numRuns = Number(process.env.TOLLKEEPER_MODEL_RUNS ?? 200)

// Two at a time, each on a service and database of its own: a history mostly waits for PostgreSQL.
const lanes = 2
let services: TestService[]
before(async () => {
  services = await Promise.all(Array.from({ length: lanes }, () => startTestService()))
})
after(() => Promise.all(services.map((service) => service.close())))

async function live(service: TestService, begin: Beginning, steps: Step[]): Promise<void> {
  const fixture = await startFixture(service, begin)
  try {
    for (const [index, each] of steps.entries()) {
      await fixture.take(each)
      if (index % 10 === 9) await fixture.lookCloser(customerIds[(index / 10) & 1] as string)
    }
    for (const customerId of customerIds) await fixture.lookCloser(customerId)
    const differences: Difference[] = []
    await auditLedger(service.database.connection, (difference) => differences.push(difference))
    assert.deepEqual(differences, [], 'the audit found differences')
  } catch (error) {
    throw new Error(`${fixture.transcript.join('\n')}\n${(error as Error).message}`, { cause: error })
  }
}

it(`the service answers as the reference model does, in ${numRuns} histories of up to 50 steps`, async (t) => {
  t.diagnostic(`TOLLKEEPER_MODEL_SEED=${seed}`)
  const steps = fc.array(step, { maxLength: 50, size: 'max' })
  await Promise.all(
    services.map((service, lane) =>
      fc.assert(
        fc.asyncProperty(beginning, steps, (begin, taken) => live(service, begin, taken)),
        { numRuns: Math.ceil(numRuns / lanes), seed: seed + lane },
      ),
    ),
  )
})
