// Backup and restore of an embedded installation, by the commands of docs/production.md.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { runCommand, startCommand } from '../cli/command.ts'
import { createTestFolder } from '../database.ts'

const folder = createTestFolder()
after(() => rmSync(folder, { recursive: true, force: true }))

const document = readFileSync(join(import.meta.dirname, '../../../docs/production.md'), 'utf8')
const commandOf = (form: RegExp) => form.exec(document)?.[0].trim() ?? assert.fail(String(form))

type Running = Awaited<ReturnType<typeof startCommand>>

async function ask({ url, testKey }: Running, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(`${url}${path}`, {
    headers: { 'x-api-key': testKey ?? '', 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  })
  assert.ok(response.ok, `${path}: ${response.status}`)
  return response.json()
}

async function stop({ child, ended }: Running): Promise<void> {
  child.kill('SIGTERM')
  assert.equal((await ended).code, 0)
}

const variables = (name: string) => ({ DATA_DIR: join(folder, name), TOLLKEEPER_DEMO: '0' })
const paths = ['/v1/customers', '/v1/usage?customerId=acme', '/v1/bonuses?customerId=acme', '/v1/products']

describe('a backup', () => {
  it('restores into a new folder: the same key, the same answers, nothing amiss, and it goes on', async () => {
    const first = await startCommand(variables('.tollkeeper'))
    const usage = { customerId: 'acme', featureKey: 'calls', eventKey: 'e1', amount: 12 }
    await ask(first, '/v1/features', { featureKey: 'calls', name: 'Calls', type: 'limit' })
    const featureAccess = [{ featureKey: 'calls', hasAccess: true, limit: 10 }]
    await ask(first, '/v1/custom-products', {
      productKey: 'free',
      name: 'Free',
      isDefault: true,
      featureAccess,
    })
    await ask(first, '/v1/customers', { customerId: 'acme', name: 'Acme' })
    await ask(first, '/v1/usage', usage)
    await ask(first, '/v1/bonuses', { customerId: 'acme', featureKey: 'calls', amount: 5 })
    const before = await Promise.all(paths.map((path) => ask(first, path)))
    await stop(first)

    execFileSync('sh', ['-c', commandOf(/^ {4}tar -czhf .*$/m)], { cwd: folder })
    rmSync(join(folder, '.tollkeeper'), { recursive: true })
    execFileSync('sh', ['-c', commandOf(/^ {4}mkdir restored && tar .*$/m)], { cwd: folder })

    const audit = await runCommand(['audit'], variables('restored'))
    assert.equal(audit.code, 0, audit.stderr)
    assert.match(audit.stdout, /^Audited 1 customers, 1 events.* no differences/)
    const restored = await startCommand(variables('restored'))
    assert.equal(restored.testKey, first.testKey)
    assert.deepEqual(await Promise.all(paths.map((path) => ask(restored, path))), before)
    // An event that was counted before the backup counts once.
    const again = (await ask(restored, '/v1/usage', usage)) as { applied: boolean; used: number }
    assert.deepEqual([again.applied, again.used], [false, 12])
    await stop(restored)
  })
})
