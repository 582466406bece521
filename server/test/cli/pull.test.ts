// tollkeeper pull: the catalogue's keys as declarations, written when they differ and only then.
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { writeDeclarations } from '../../src/cli/pull.ts'
import { startTestService, type TestService } from '../service.ts'
import { runCommand } from './command.ts'

let service: TestService
const folder = mkdtempSync(join(tmpdir(), 'tollkeeper-pull-'))
const out = join(folder, 'tollkeeper.d.ts')
before(async () => {
  service = await startTestService()
  const make = async (path: string, body: unknown) =>
    assert.equal((await service.request('POST', path, { body })).status, 201)
  await make('/v1/features', { featureKey: 'sso', name: 'Single sign-on', type: 'boolean' })
  await make('/v1/features', { featureKey: 'api_calls', name: 'API */ calls', type: 'limit' })
  await make('/v1/custom-products', { productKey: 'free', name: 'Free' })
})
after(async () => {
  rmSync(folder, { recursive: true, force: true })
  await service.close()
})

const pull = (key: string | undefined, ...words: string[]) =>
  runCommand(['pull', '--url', service.urls[0] as string, '--out', out, ...words], {
    ...(key === undefined ? {} : { TOLLKEEPER_API_KEY: key }),
  })

describe('pull', () => {
  it('writes what a key of scope read can see, in the order of keys, and says when nothing changed', async () => {
    const missing = await pull(service.keys.testRead, '--check')
    assert.deepEqual([missing.code, existsSync(out)], [1, false])
    assert.match(missing.stderr, /not current/)
    const first = await pull(service.keys.testRead)
    assert.equal(first.code, 0, first.stderr)
    assert.match(
      readFileSync(out, 'utf8'),
      /API \*\\\/ calls \*\/\n {4}'api_calls': \{ type: 'limit'; tracksUsage: true \}\n[^\n]*\n {4}'sso': \{ type: 'boolean'; tracksUsage: false \}\n {2}\}\n {2}interface ProductKeys \{\n[^\n]*\n {4}'free': \{ type: 'custom' \}/,
    )
    const again = await pull(service.keys.testRead, '--check')
    assert.deepEqual([again.code, again.stdout.includes('is current')], [0, true])
  })

  it('says in a sentence what went wrong, and never the key', async () => {
    const refused = await pull('tk_test_wrong')
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /API key/)
    assert.doesNotMatch(refused.stderr, /tk_test_wrong| at /)
    assert.match((await pull(undefined)).stderr, /TOLLKEEPER_API_KEY/)
    const nobody = await runCommand(['pull', '--url', 'http://127.0.0.1:1', '--out', out], {
      TOLLKEEPER_API_KEY: 'tk_test_x',
    })
    assert.match(nobody.stderr, /could not be reached/)
  })

  it('marks archived features, and leaves keys strings where there is nothing', () => {
    const feature = { featureKey: 'old', name: 'Old', type: 'limit', tracksUsage: true, isArchived: true }
    assert.match(
      writeDeclarations({ features: [feature], products: [] }),
      /\/\*\* Old @deprecated archived \*\/\n {4}'old'/,
    )
    assert.match(writeDeclarations({ features: [], products: [] }), /interface FeatureKeys \{\n {2}\}/)
  })
})
