// What each role may on every route there is, made from the lists of routes: whoever adds one is covered.
import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { routes } from '../../src/app.ts'
import { dashboardRoutes } from '../../src/dashboard-routes.ts'
import { environments } from '../../src/domain/environment.ts'
import { call } from '../service.ts'
import { type Browser, type DashboardService, startDashboardService } from './dashboard-fixture.ts'

type Mounted = { method: string; path: string; access: string; environment: string | undefined }

const mounted: Mounted[] = [
  ...routes.flatMap(({ method, path, access }) =>
    environments.map((environment) => ({ method, path: `${environment}${path}`, access, environment })),
  ),
  ...dashboardRoutes.flatMap(({ method, path, access }): Mounted[] => {
    const own = path.replace('/dashboard/api/', '')
    if (!own.startsWith('{environment}/'))
      return [{ method, path: own, access, environment: own.startsWith('test/') ? 'test' : undefined }]
    return environments.map((environment) => ({
      method,
      path: own.replace('{environment}', environment),
      access,
      environment,
    }))
  }),
].map((route) => ({ ...route, path: route.path.replaceAll(/\{\w+\}/g, 'thing') }))

const isWrite = ({ access }: Mounted) => access === 'write' || access === 'keys' || access === 'admin'

let service: DashboardService
let people: Record<'member' | 'read', Browser>
before(async () => {
  service = await startDashboardService()
  people = {
    member: await service.join('member@example.com', 'member'),
    read: await service.join('read@example.com', 'read'),
  }
})
after(() => service.close())

const ask = (browser: Browser, { method, path }: Mounted) =>
  browser.request(method, path, method === 'GET' ? {} : { body: {} })

describe('a person who may only read', () => {
  for (const route of mounted.filter(isWrite)) {
    it(`cannot ${route.method} ${route.path}`, async () => {
      const { status, headers } = await ask(people.read, route)
      const expected = route.access === 'admin' ? 'admin_only' : 'read_only_person'
      assert.deepEqual([status, headers['x-error-code']], [403, expected])
    })
  }
})

describe('a member', () => {
  const forbidden = (route: Mounted) =>
    route.access === 'admin' || (route.access === 'keys' && route.environment !== 'test')
  for (const route of mounted.filter(forbidden)) {
    it(`cannot ${route.method} ${route.path}`, async () => {
      const { status, headers } = await ask(people.member, route)
      assert.deepEqual([status, headers['x-error-code']], [403, 'admin_only'])
    })
  }

  it('is let in everywhere else', async () => {
    for (const route of mounted.filter((each) => isWrite(each) && !forbidden(each))) {
      const { status } = await ask(people.member, route)
      assert.ok(status !== 401 && status !== 403, `${route.method} ${route.path}: ${status}`)
    }
  })
})

describe('whoever is signed out', () => {
  // Each address may ask only so often without a session, so these come from many.
  for (const [index, route] of mounted.filter(({ access }) => access !== 'anyone').entries()) {
    it(`cannot ${route.method} ${route.path}`, async () => {
      const agent = new Agent({ localAddress: `127.0.1.${1 + (index % 200)}` })
      const url = service.urls[0] as string
      // Neither a key nor a made-up session is one.
      for (const headers of [
        { 'x-api-key': service.keys.test },
        { cookie: `tollkeeper_session=${'A'.repeat(43)}` },
      ]) {
        const sent = { ...headers, origin: url, 'x-csrf-token': 'x' }
        const answer = await call(agent, url, route.method, `/dashboard/api/${route.path}`, undefined, sent)
        assert.deepEqual([answer.status, answer.headers['x-error-code']], [401, 'signed_out'])
      }
      agent.destroy()
    })
  }
})

describe('the lists of routes', () => {
  it('hold what this file is about', () => {
    assert.ok(mounted.length > 100)
    for (const access of ['anyone', 'own', 'read', 'write', 'keys', 'admin'])
      assert.ok(
        mounted.some((route) => route.access === access),
        access,
      )
  })

  it('call every GET a read, and every other method more than that', () => {
    const odd = dashboardRoutes.filter(({ method, access, path }) =>
      method === 'GET'
        ? access === 'write' || access === 'keys'
        : // Looking ahead, and comparing with the provider, change nothing.
          access === 'read' && !/\/(preview|compare)$/.test(path),
    )
    assert.deepEqual(
      odd.map(({ method, path }) => `${method} ${path}`),
      [],
    )
  })
})
