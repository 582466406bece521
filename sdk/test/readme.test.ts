// The README: every program in it runs against a real service as it stands there, and says what it is said to say.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { transform } from 'esbuild'
import { startServiceFixture } from './service-fixture.ts'

const run = promisify(execFile)
const readme = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')
const snippets = [...readme.matchAll(/```(tsx?)\n(.*?)```/gs)].map(([, kind = '', text = '']) => ({
  kind,
  text,
}))
const folder = mkdtempSync(join(tmpdir(), 'tollkeeper-readme-'))

let service: Awaited<ReturnType<typeof startServiceFixture>>
before(async () => {
  service = await startServiceFixture()
  const { tk, provider } = service
  await tk.features.create({ featureKey: 'api_calls', name: 'API calls', type: 'limit' })
  await tk.features.create({ featureKey: 'sso', name: 'Single sign-on', type: 'boolean' })
  const featureAccess = [{ featureKey: 'api_calls', hasAccess: true, limit: 10 }]
  await tk.products.createCustom({ productKey: 'free', name: 'Free', isDefault: true, featureAccess })
  const price = { currency: 'usd', unit_amount: 2900, recurring: { interval: 'month' as const } }
  const { id } = await provider.products.create({ name: 'Pro', default_price_data: price })
  await tk.products.link({ productKey: 'pro', providerProductId: id })
})
after(async () => {
  rmSync(folder, { recursive: true, force: true })
  await service.close()
})

async function runSnippet(index: number): Promise<string> {
  const { kind, text } = snippets[index] ?? assert.fail()
  const path = join(folder, `snippet-${index}.${kind === 'tsx' ? 'js' : 'ts'}`)
  const render = `\nimport { createElement } from 'react'\nimport { renderToString } from 'react-dom/server'\n
    console.log(renderToString(createElement(App, { access: { sso: { hasAccess: true, type: 'boolean' } } })))`
  const code =
    kind === 'tsx' ? (await transform(text, { loader: 'tsx', jsx: 'automatic' })).code + render : text
  writeFileSync(path, code)
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const hooks = pathToFileURL(join(import.meta.dirname, 'readme-hooks.ts')).href
  const env = { ...process.env, TOLLKEEPER_API_KEY: service.keys.test, TOLLKEEPER_URL: service.baseUrl }
  const { stdout, stderr } = await run(process.execPath, ['--import', hooks, path], { cwd: folder, env })
  assert.equal(stderr, '')
  return stdout
}

const said: [name: string, pattern: RegExp][] = [
  ['the common day', /^true undefined 10 \d+\nfalse 5\nhttp\S+ http\S+\n$/],
  ['lists', /^\d+ 2\n\d+ 3\n1 null\n$/],
  ['errors', /^404 customer_not_found \S+ There is no customer "nobody"\.\n$/],
  ['the buffer', /^$/],
  ['the handler', /^200 \{.*api_calls.*\}\n$/s],
  ['React', /Single sign-on<\/a>.*<progress/s],
  ['the fake', /^false\n100\n$/],
]

describe('the README', () => {
  it('has the programs that are tested here, and no others', () => {
    assert.equal(snippets.length, said.length)
  })

  for (const [index, [name, pattern]] of said.entries())
    it(`${name}: runs as it stands there`, async () => {
      assert.match(await runSnippet(index), pattern)
    })

  it('has a buffer that sent its event before the program ended', async () => {
    assert.equal((await service.tk.access('acme')).api_calls?.usage?.used, 7)
  })
})
