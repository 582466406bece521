// A start that is killed while it makes the demo data is gone on with by the next, and nothing is there twice.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { eventually } from '../billing/shop-fixture.ts'
import { type Ended, type Running, runCommand, startCommand } from '../cli/command.ts'
import { createTestFolder } from '../database.ts'

type Run = (...words: string[]) => Promise<Ended>

async function inFolder(work: (start: () => Promise<Running>, run: Run) => Promise<void>): Promise<void> {
  const folder = createTestFolder()
  const variables = { DATA_DIR: join(folder, 'data'), RATE_LIMIT_ALL: '0' }
  const started: Running[] = []
  const start = async () => {
    const running = await startCommand(variables)
    started.push(running)
    return running
  }
  try {
    await work(start, (...words) => runCommand(words, variables))
  } finally {
    for (const { child, ended } of started) {
      child.kill('SIGTERM')
      await ended
    }
    rmSync(folder, { recursive: true, force: true })
  }
}

describe('demo data that was cut off', () => {
  it('is gone on with by the next start, and is what one start makes', () =>
    inFolder(async (start, run) => {
      const killed = await start()
      assert.match(
        killed.output.stdout,
        /✔ Demo data: 6 features, 5 products, 40 customers, 90 days of usage {3}\(TOLLKEEPER_DEMO=0 for none\)/,
      )
      assert.match(killed.output.stdout, /Try .*\/v1\/feature-access\?customerId=acme"/)
      killed.child.kill('SIGKILL')
      await killed.ended
      const next = await start()
      const get = async (path: string) =>
        (await fetch(`${next.url}${path}`, { headers: { 'x-api-key': next.testKey ?? '' } })).json()
      await eventually(
        () => get('/v1/customers?limit=100'),
        (body) => assert.equal((body as { customers: unknown[] }).customers.length, 40),
        60_000,
      )
      assert.equal(((await get('/v1/features')) as { features: unknown[] }).features.length, 6)
      assert.equal(((await get('/v1/products')) as { products: unknown[] }).products.length, 5)
      // Asked for again, it is refused once it is complete.
      await eventually(
        () => run('demo'),
        ({ code, stderr }) => assert.deepEqual([code, stderr], [1, 'The demo data is there already.\n']),
        60_000,
      )
      const audit = await run('audit')
      assert.equal(audit.code, 0, audit.stdout)
      assert.match(audit.stdout, /Audited 40 customers, .* no differences/)
      const removed = await run('demo', '--remove')
      assert.equal(removed.stdout, 'Removed 6 features, 5 products, 40 customers.\n', removed.stderr)
    }))
})
