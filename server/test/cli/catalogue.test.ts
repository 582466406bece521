// tollkeeper plan, push and pull --catalogue: a catalogue as a file, beside a running service.
import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import Stripe from 'stripe'
import { startTestService, type TestService } from '../service.ts'
import { runCommand } from './command.ts'

let service: TestService
let providerProductId: string
const folder = mkdtempSync(join(tmpdir(), 'tollkeeper-catalogue-'))
before(async () => {
  service = await startTestService()
  const { url, secrets } = (service.instances[0] ?? assert.fail()).simulatorAccess
  const { hostname, port } = new URL(url)
  const stripe = new Stripe(secrets.test.secretKey, { host: hostname, port, protocol: 'http' })
  providerProductId = (await stripe.products.create({ name: 'Pro' })).id
  // As installed: without its build, which a test of the package looks at.
  mkdirSync(join(folder, 'node_modules/@tollkeeper/sdk'), { recursive: true })
  const home = join(folder, 'node_modules/@tollkeeper/sdk')
  writeFileSync(join(home, 'package.json'), '{"type":"module","exports":{"./catalogue":"./catalogue.js"}}')
  writeFileSync(join(home, 'catalogue.js'), 'export const defineCatalogue = (catalogue) => catalogue\n')
})
after(async () => {
  rmSync(folder, { recursive: true, force: true })
  await service.close()
})

const command = (...words: string[]) =>
  runCommand(
    words,
    { TOLLKEEPER_API_KEY: service.keys.test, TOLLKEEPER_URL: service.urls[0] as string },
    folder,
  )

const features = {
  api_calls: { name: 'API calls', type: 'limit', usageResetInterval: 'month' },
  seats: { name: 'Seats', type: 'limit', usageResetInterval: 'never', description: 'People' },
  sso: { name: 'Single sign-on', type: 'boolean' },
}

const write = (catalogue: unknown) =>
  writeFileSync(join(folder, 'tollkeeper.catalogue.json'), JSON.stringify(catalogue))

const first = () => ({
  features,
  products: {
    free: { name: 'Free', isDefault: true, access: { api_calls: 1000, seats: 1 } },
    team: { name: 'Team', metadata: { tier: '2' }, access: { api_calls: 'unlimited', sso: true } },
    extra: { name: 'Extra', isAddOn: true, access: { seats: 5 } },
    pro: { providerProductId, limitsPerUnit: true, access: { api_calls: 5000, sso: true } },
  },
})

const accessOf = async (customerId: string) =>
  (await service.request('GET', `/v1/feature-access?customerId=${customerId}`)).body

describe('push', () => {
  it('creates what is missing, and does nothing when it is done again', async () => {
    write(first())
    const plan = await command('plan', '--exit-code')
    assert.equal(plan.code, 3, plan.stderr)
    assert.match(plan.stdout, /^\+ feature api_calls: limit "API calls"$/m)
    assert.match(plan.stdout, /^\+ product pro: linked to \S+ with api_calls 5000, sso$/m)
    assert.match(plan.stdout, /^7 to create, 0 to change, 0 to archive\.$/m)
    const pushed = await command('push')
    assert.equal(pushed.code, 0, pushed.stderr)
    const again = await command('push')
    assert.deepEqual([again.code, again.stdout], [0, 'Nothing to do: the catalogue is as the file says.\n'])
    assert.equal((await command('plan', '--exit-code')).code, 0)
    const extra = await service.request('GET', '/v1/products/extra')
    assert.equal(extra.body.isAddOn, true)
    assert.equal((await service.request('GET', '/v1/products/pro')).body.limitsPerUnit, true)
  })

  it('takes nothing away without being told so, and names who holds it', async () => {
    for (const customerId of ['ann', 'bob'])
      await service.request('POST', '/v1/customers', { body: { customerId, customProductKeys: ['team'] } })
    const changed = first()
    write({
      ...changed,
      products: { ...changed.products, team: { name: 'Team', access: { api_calls: 10, seats: 3 } } },
    })
    const { stdout } = await command('plan')
    assert.match(stdout, /^~ product team \(version 1, held by 2 customers\)$/m)
    assert.match(stdout, /^ {4}api_calls: unlimited → 10 !$/m)
    assert.match(stdout, /^ {4}seats: no → 3$/m)
    assert.match(stdout, /^ {4}sso: yes → no !$/m)
    const refused = await command('push')
    assert.equal(refused.code, 1)
    assert.match(refused.stderr, /Nothing was done: lines marked ! .* --yes/)
    assert.equal((await accessOf('ann')).sso.hasAccess, true)
    const planned = JSON.parse((await command('plan', '--json')).stdout)
    assert.deepEqual(
      planned.actions.map((each: { key: string; takesAway: boolean }) => [each.key, each.takesAway]),
      [['team', true]],
    )
  })

  it('leaves holders what they have with --new-versions, without being asked', async () => {
    const pushed = await command('push', '--new-versions')
    assert.equal(pushed.code, 0, pushed.stderr)
    assert.match(pushed.stdout, /version 2, new; holders keep version 1/)
    assert.equal((await accessOf('ann')).sso.hasAccess, true)
    assert.equal((await service.request('GET', '/v1/products/team')).body.version, 2)
    assert.equal((await command('plan', '--exit-code', '--new-versions')).code, 0)
  })

  it('changes in place with --yes, and moves the default without a moment of none', async () => {
    const changed = first()
    const { free, ...others } = changed.products
    write({
      features: { ...features, sso: { name: 'SSO', type: 'boolean' } },
      products: {
        ...others,
        team: { name: 'Team', access: { api_calls: 10 } },
        free: { ...free, isDefault: false },
        starter: { name: 'Starter', isDefault: true, access: { api_calls: 1 } },
      },
    })
    const pushed = await command('push', '--yes')
    assert.equal(pushed.code, 0, pushed.stderr)
    const lines = pushed.stdout.split('\n').filter((line) => /^[+~-] product/.test(line))
    assert.match(lines[0] ?? '', /starter/)
    await service.request('POST', '/v1/customers', { body: { customerId: 'cy' } })
    assert.equal((await accessOf('cy')).api_calls.limit, 1)
    assert.equal((await command('plan', '--exit-code')).code, 0)
  })

  it('archives what the file does not name only when told to prune', async () => {
    const changed = first()
    const { extra: _, ...products } = changed.products
    const { free, team, pro } = products
    write({ features, products: { free, team, pro } })
    assert.doesNotMatch((await command('plan')).stdout, /^- /m)
    assert.equal((await command('push', '--prune')).code, 1)
    const pushed = await command('push', '--prune', '--yes')
    assert.equal(pushed.code, 0, pushed.stderr)
    assert.match(pushed.stdout, /^- product extra: archive !$/m)
    assert.equal((await service.request('GET', '/v1/products/extra')).status, 404)
    assert.equal((await command('plan', '--prune', '--exit-code')).code, 0)
    // Named again it comes back.
    write(first())
    assert.match((await command('push', '--yes')).stdout, /^~ product extra: unarchive$/m)
    assert.equal((await service.request('GET', '/v1/products/extra')).status, 200)
  })

  it('refuses a file that makes no sense, with the place', async () => {
    const { pro } = first().products
    const wrong: [unknown, RegExp][] = [
      [{ features }, /catalogue\.json: products is required/],
      [{ features: { x: { name: 'X', type: 'maybe' } }, products: {} }, /features\.x\.type/],
      [
        { features, products: { a: { name: 'A', access: { sso: 5 } } } },
        /products\.a\.access\.sso must be true/,
      ],
      [
        { features, products: { a: { name: 'A', access: { nope: 5 } } } },
        /products\.a\.access\.nope: there is no/,
      ],
      [{ features, products: { a: { name: 'A', colour: 1, access: {} } } }, /"colour" is not a known field/],
      [
        { features: { ...features, sso: { name: 'SSO', type: 'limit' } }, products: {} },
        /features\.sso\.type is boolean and never changes/,
      ],
      [
        { features, products: { pro: { ...pro, providerProductId: 'other' } } },
        /products\.pro is linked to \S+, which never changes/,
      ],
    ]
    for (const [catalogue, sentence] of wrong) {
      write(catalogue)
      const { code, stderr } = await command('push', '--yes')
      assert.equal(code, 1, stderr)
      assert.match(stderr, sentence)
    }
    const missing = await command('plan', 'nowhere.json')
    assert.equal(missing.code, 2)
    assert.match(missing.stderr, /There is no nowhere\.json/)
  })
})

describe('pull --catalogue', () => {
  it('writes a file that plan finds no difference in, as a module and as JSON', async () => {
    rmSync(join(folder, 'tollkeeper.catalogue.json'))
    const pulled = await command('pull', '--catalogue')
    assert.equal(pulled.code, 0, pulled.stderr)
    const text = readFileSync(join(folder, 'tollkeeper.catalogue.ts'), 'utf8')
    assert.match(text, /defineCatalogue\(\{\n {2}"features": \{\n {4}"api_calls"/)
    const plan = await command('plan', '--exit-code', '--prune')
    assert.equal(plan.code, 0, plan.stdout + plan.stderr)
    assert.equal((await command('pull', '--catalogue', '--out', 'all.json')).code, 0)
    assert.equal((await command('plan', 'all.json', '--exit-code', '--prune')).code, 0)
    assert.equal((await command('pull', '--catalogue', '--check')).code, 0)
  })

  it('does not write over what somebody changed', async () => {
    writeFileSync(join(folder, 'all.json'), '{}')
    const refused = await command('pull', '--catalogue', '--out', 'all.json')
    assert.deepEqual([refused.code, readFileSync(join(folder, 'all.json'), 'utf8')], [2, '{}'])
    assert.equal((await command('pull', '--catalogue', '--out', 'all.json', '--force')).code, 0)
  })
})
