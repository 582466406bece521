// The client on runtimes without Node: it needs the globals of the web, and no others.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { createContext, runInContext } from 'node:vm'
import { build } from 'esbuild'

/** What Node, Bun, Deno and edge runtimes have in common. */
const { AbortController, AbortSignal, Headers, Request, Response, URL, URLSearchParams } = globalThis
const web = { AbortController, AbortSignal, Headers, Request, Response, URL, URLSearchParams }
const timers = { setTimeout, clearTimeout, queueMicrotask, crypto, console }

async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, '../src', entry)],
    bundle: true,
    format: 'iife',
    globalName: 'sdk',
    // Fails on anything of Node's own.
    platform: 'browser',
    write: false,
    logLevel: 'silent',
  })
  return outputFiles[0]?.text ?? assert.fail()
}

describe('the client', () => {
  it('runs with fetch, web crypto, timers and the types of the web', async () => {
    const sent: string[] = []
    const fetch = async (url: string, init: { body: string }) => {
      sent.push(`${url} ${JSON.parse(init.body).eventKey.length}`)
      return new Response('{"applied":true,"used":1}')
    }
    const context = createContext({ ...web, ...timers, fetch })
    runInContext(await bundle('sdk.ts'), context)
    const program = `new sdk.Tollkeeper({ apiKey: 'tk_test_x', baseUrl: 'https://x.test' }).track('acme', 'calls')`
    const { applied } = await runInContext(program, context)
    assert.equal(applied, true)
    assert.deepEqual(sent, ['https://x.test/v1/usage 36'])
  })

  it('would not bundle with anything of Node in it, as its entry for Node shows', async () => {
    await assert.rejects(bundle('node.ts'))
  })
})
