// React: rendered on a server with initial data, taken over by a browser, and kept current there.
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { Window } from 'happy-dom'
import { act, createElement as h, type ReactNode, StrictMode } from 'react'
import { createRoot, hydrateRoot, type Root } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import { Gate, TollkeeperProvider, useAccess, useUsage } from '../src/react.ts'
import type { AccessMap } from '../src/sdk.ts'

const usage = (used: number, remaining: number) => ({
  used,
  remaining,
  bonusRemaining: 0,
  bonusUsed: 0,
  hasReachedLimit: remaining === 0,
  lastReset: 1,
  nextReset: 2,
})
const accessWith = (used: number): AccessMap => ({
  sso: { hasAccess: true, type: 'boolean' },
  audit: { hasAccess: false, type: 'boolean' },
  calls: { hasAccess: true, type: 'limit', limit: 10, isUnlimited: false, usage: usage(used, 10 - used) },
})

function Meter(): ReactNode {
  const { used, share, isLoading, error } = useUsage('calls')
  return h(
    'i',
    null,
    `${used ?? '?'} ${share ?? '?'} ${isLoading ? 'loading' : 'idle'} ${error?.message ?? ''}`,
  )
}

function Probe({ feature }: { feature: string }): ReactNode {
  const { allowed, hasAccess } = useAccess(feature)
  return h('b', null, `${feature}:${hasAccess}:${allowed}`)
}

const window = new Window({ url: 'http://app.test/' })
const globals = ['window', 'document', 'IS_REACT_ACT_ENVIRONMENT'] as const
before(() => {
  Object.assign(globalThis, { window, document: window.document, IS_REACT_ACT_ENVIRONMENT: true })
})
after(async () => {
  for (const name of globals) Reflect.deleteProperty(globalThis, name)
  await window.happyDOM.close()
})

let root: Root | undefined
afterEach(async () => {
  await act(async () => root?.unmount())
  root = undefined
})

/** Answers in turn, each when it is told to. */
function createHandlerFixture() {
  const asked: { url: string; answer(status: number, body: unknown): Promise<void>; signal: AbortSignal }[] =
    []
  const fetch = ((url: string, { signal }: { signal: AbortSignal }) =>
    new Promise<Response>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
      const answer = (status: number, body: unknown) =>
        act(async () => resolve(new Response(JSON.stringify(body), { status })))
      asked.push({ url, answer, signal })
    })) as unknown as typeof globalThis.fetch
  return { fetch, asked }
}

function makeContainer(html = ''): Element {
  const container = document.createElement('div')
  document.body.append(container)
  container.innerHTML = html
  return container
}

describe('on a server', () => {
  const render = (children: ReactNode, initialAccess?: AccessMap) =>
    renderToString(h(TollkeeperProvider, { url: '/access', initialAccess }, children))

  it('renders with initial data what the customer may use', () => {
    const html = render(
      [
        h(Gate, { key: 1, feature: 'sso', fallback: 'no sso' }, 'with sso'),
        h(Gate, { key: 2, feature: 'audit', fallback: 'no audit' }, 'with audit'),
        h(Gate, { key: 3, feature: 'calls', fallback: 'no calls' }, 'with calls'),
        h(Gate, { key: 4, feature: 'calls', when: 'hold', fallback: 'no hold' }, 'with hold'),
        h(Meter, { key: 5 }),
      ],
      accessWith(10),
    )
    assert.match(html, /with sso.*no audit.*no calls.*with hold.*10 1 idle/)
  })

  it('shows to nobody what it knows nothing of', () => {
    const gate = (loading?: ReactNode) => h(Gate, { feature: 'sso', fallback: 'closed', loading }, 'open')
    assert.equal(render(gate('wait')), 'wait')
    assert.equal(render(gate()), '')
    assert.equal(render(gate(), {}), 'closed')
    assert.match(render(h(Probe, { feature: 'constructor' }), {}), /constructor:false:false/)
  })

  it('says what is missing without a provider', () => {
    assert.throws(() => renderToString(h(Meter)), /needs a <TollkeeperProvider>/)
  })
})

describe('in a browser', () => {
  it('takes over what the server rendered, without a difference and without asking again', async (t) => {
    const complaints = t.mock.method(console, 'error', () => {})
    const { fetch, asked } = createHandlerFixture()
    const app = h(TollkeeperProvider, { url: '/access', initialAccess: accessWith(4), fetch }, h(Meter))
    const container = makeContainer(renderToString(app))
    await act(async () => {
      root = hydrateRoot(container, app)
    })
    assert.equal(container.textContent, '4 0.4 idle ')
    assert.deepEqual([asked.length, complaints.mock.callCount()], [0, 0])
  })

  it('asks the handler once, also in strict mode with several components, and shows the answer', async () => {
    const { fetch, asked } = createHandlerFixture()
    const container = makeContainer()
    const provider = h(
      TollkeeperProvider,
      { url: '/access', fetch },
      h(Meter),
      h(Probe, { feature: 'calls' }),
    )
    await act(async () => {
      root = createRoot(container)
      root.render(h(StrictMode, null, provider))
    })
    assert.equal(container.textContent, '? ? loading calls:false:false')
    const open = asked.filter(({ signal }) => !signal.aborted)
    assert.deepEqual([open.length, open[0]?.url], [1, '/access'])
    await open[0]?.answer(200, accessWith(10))
    assert.equal(container.textContent, '10 1 idle calls:true:false')
  })

  it('keeps what it knew when a later reading fails, says why, and reads anew when looked at', async () => {
    const { fetch, asked } = createHandlerFixture()
    const container = makeContainer()
    await act(async () => {
      root = createRoot(container)
      root.render(h(TollkeeperProvider, { url: '/access', initialAccess: accessWith(2), fetch }, h(Meter)))
    })
    const look = () => act(async () => document.dispatchEvent(new window.Event('visibilitychange') as never))
    await look()
    await asked[0]?.answer(502, {})
    assert.equal(container.textContent, '2 0.2 idle Access could not be read: the handler answered 502.')
    await look()
    await asked[1]?.answer(200, accessWith(3))
    assert.equal(container.textContent, '3 0.3 idle ')
  })

  it('ends its request when it is taken off the page', async () => {
    const { fetch, asked } = createHandlerFixture()
    await act(async () => {
      root = createRoot(makeContainer())
      root.render(h(TollkeeperProvider, { url: '/access', fetch }, h(Meter)))
    })
    await act(async () => root?.unmount())
    assert.equal(asked[0]?.signal.aborted, true)
  })
})
