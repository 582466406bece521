// People: invited by link, changed and removed at once everywhere, never without an admin.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import {
  adminEmail,
  adminPassword,
  type Browser,
  type DashboardService,
  joinedPassword,
  startDashboardService,
  tokenOf,
} from './dashboard-fixture.ts'

let service: DashboardService
before(async () => {
  service = await startDashboardService({ instances: 2 })
})
after(() => service.close())

const findId = async (email: string): Promise<string> => {
  const { body } = await service.admin.request('GET', 'people')
  return body.people.find((person: { email: string }) => person.email === email).personId
}
const codeOf = ({ status, headers }: Awaited<ReturnType<Browser['request']>>) => [
  status,
  headers['x-error-code'],
]

describe('inviting', () => {
  it('makes a link with which the person joins, once', async () => {
    const invited = await service.admin.request('POST', 'people', {
      body: { email: 'Bo@Example.com', role: 'read' },
    })
    assert.equal(invited.status, 201, invited.text)
    assert.deepEqual([invited.body.person.email, invited.body.person.state], ['bo@example.com', 'invited'])
    assert.match(invited.body.inviteUrl, /^http:\/\/localhost:\d+\/join\?token=[\w-]{43}$/)
    const link = `links/${tokenOf(invited.body.inviteUrl)}`
    const browser = service.openBrowser()
    for (let index = 0; index < 2; index++)
      assert.deepEqual((await browser.request('GET', link)).body, { kind: 'invite', email: 'bo@example.com' })
    const body = { name: 'Bo', password: 'ten characters' }
    const joined = await browser.request('POST', link, { body })
    assert.deepEqual([joined.status, joined.body.person.name, joined.body.person.role], [200, 'Bo', 'read'])
    assert.equal((await browser.request('GET', 'session')).status, 200)
    assert.deepEqual(codeOf(await service.openBrowser().request('POST', link, { body })), [
      404,
      'link_not_found',
    ])
    assert.deepEqual(codeOf(await service.openBrowser().request('GET', link)), [404, 'link_not_found'])
    const again = await service.admin.request('POST', 'people', {
      body: { email: 'bo@example.com', role: 'admin' },
    })
    assert.deepEqual(codeOf(again), [409, 'person_exists'])
  })

  it('lets one of two in who use a link at the same time', async () => {
    const body = { email: 'cy@example.com', role: 'member' }
    const { body: invited } = await service.admin.request('POST', 'people', { body })
    const link = `links/${tokenOf(invited.inviteUrl)}`
    const use = (instance: number) =>
      service
        .openBrowser()
        .request('POST', link, { body: { name: 'Cy', password: joinedPassword }, instance })
    const statuses = (await Promise.all([use(0), use(1), use(0)])).map(({ status }) => status)
    assert.deepEqual(statuses.sort(), [200, 404, 404])
  })

  it('ends after seven days, and with a newer link', async () => {
    const body = { email: 'di@example.com', role: 'member' }
    const { body: invited } = await service.admin.request('POST', 'people', { body })
    const path = `people/${invited.person.personId}/link`
    const { body: newer } = await service.admin.request('POST', path)
    const ask = (url: string) => service.openBrowser().request('GET', `links/${tokenOf(url)}`)
    assert.equal((await ask(invited.inviteUrl)).status, 404)
    assert.deepEqual((await ask(newer.url)).body, { kind: 'invite', email: 'di@example.com' })
    const days = (newer.expiresAt - Date.now()) / 86_400_000
    assert.ok(days > 6.9 && days <= 7)
    await service.query(`update person_link set expires_at = expires_at - 7 * 86400000 - 1`)
    assert.equal((await ask(newer.url)).status, 404)
    const accepted = await service.openBrowser().request('POST', `links/${tokenOf(newer.url)}`, {
      body: { name: 'Di', password: joinedPassword },
    })
    assert.equal(accepted.status, 404)
  })

  it('refuses passwords that are short or the address, and another address', async () => {
    const body = { email: 'long-enough@example.com', role: 'member' }
    const { body: invited } = await service.admin.request('POST', 'people', { body })
    const link = `links/${tokenOf(invited.inviteUrl)}`
    for (const [sent, said] of [
      [{ password: 'short' }, /password must have at least 10/],
      [{ password: 'LONG-enough@example.com' }, /password must not be the email/],
      [{ password: joinedPassword, email: 'other@example.com' }, /email is not the one/],
      [{}, /password is required/],
    ] as const) {
      const answer = await service.openBrowser().request('POST', link, { body: sent })
      assert.equal(answer.status, 400)
      assert.match(answer.body.error, said)
    }
    assert.equal((await service.openBrowser().request('GET', link)).status, 200)
  })
})

describe('a person', () => {
  it('who is removed is refused at once, also on another instance, and cannot sign in', async () => {
    const browser = await service.join('eve@example.com', 'member')
    assert.equal((await browser.request('GET', 'test/v1/features', { instance: 1 })).status, 200)
    const removed = await service.admin.request('DELETE', `people/${await findId('eve@example.com')}`)
    assert.equal(removed.status, 200)
    for (const instance of [0, 1])
      assert.deepEqual(codeOf(await browser.request('GET', 'test/v1/features', { instance })), [
        401,
        'signed_out',
      ])
    await assert.rejects(service.signIn('eve@example.com', joinedPassword), /401/)
  })

  it('has another role from the next request on, everywhere', async () => {
    const browser = await service.join('flo@example.com', 'member')
    const make = (featureKey: string) =>
      browser.request('POST', 'test/v1/features', {
        body: { featureKey, name: 'x', type: 'boolean' },
        instance: 1,
      })
    assert.equal((await make('first')).status, 201)
    const path = `people/${await findId('flo@example.com')}`
    assert.equal((await service.admin.request('PUT', path, { body: { role: 'read' } })).status, 200)
    assert.deepEqual(codeOf(await make('second')), [403, 'read_only_person'])
    assert.equal((await service.admin.request('GET', 'test/v1/features/second')).status, 404)
  })

  it('who forgot the password gets a link for a new one, which ends the sessions there were', async () => {
    const browser = await service.join('gus@example.com', 'member')
    const { body: link } = await service.admin.request(
      'POST',
      `people/${await findId('gus@example.com')}/link`,
    )
    const hours = (link.expiresAt - Date.now()) / 3_600_000
    assert.ok(hours > 0.9 && hours <= 1)
    const fresh = service.openBrowser()
    const token = `links/${tokenOf(link.url)}`
    assert.deepEqual((await fresh.request('GET', token)).body, { kind: 'reset', email: 'gus@example.com' })
    const accepted = await fresh.request('POST', token, { body: { password: 'the new password' } })
    assert.deepEqual([accepted.status, accepted.body.person.name], [200, 'gus@example.com'])
    assert.equal((await browser.request('GET', 'session')).status, 401)
    await assert.rejects(service.signIn('gus@example.com', joinedPassword), /401/)
    await service.signIn('gus@example.com', 'the new password')
  })

  it('changes the password with the one there is, and is signed out elsewhere', async () => {
    const here = await service.join('hal@example.com', 'read')
    const elsewhere = await service.signIn('hal@example.com', joinedPassword)
    const change = (currentPassword: string) =>
      here.request('PUT', 'session/password', {
        body: { currentPassword, newPassword: 'brand new password' },
      })
    assert.deepEqual(codeOf(await change('wrong')), [401, 'wrong_password'])
    assert.equal((await change(joinedPassword)).status, 200)
    assert.equal((await here.request('GET', 'session')).status, 200)
    assert.equal((await elsewhere.request('GET', 'session')).status, 401)
    await service.signIn('hal@example.com', 'brand new password')
  })

  it('is signed in in fifty browsers at most: those used last', async () => {
    await service.join('jan@example.com', 'read')
    await service.query(
      `insert into person_session (token_hash, person_id, created_at, seen_at, expires_at)
       select sha256(i::text::bytea), person_id, i, i, clock_ms() + 1000000
       from person, generate_series(1, 60) i where email = 'jan@example.com'`,
    )
    const browser = await service.signIn('jan@example.com', joinedPassword)
    assert.equal((await browser.request('GET', 'session')).status, 200)
    const [sessions] = await service.query(
      `select count(*)::int as count, min(seen_at)::int as oldest from person_session
       join person using (person_id) where email = 'jan@example.com'`,
    )
    assert.deepEqual(sessions, { count: 50, oldest: 13 })
  })

  it('is signed out after twelve hours away, and after fourteen days in any case', async () => {
    for (const [column, ms] of [
      ['seen_at', 12 * 3_600_000],
      ['expires_at', 14 * 86_400_000],
    ] as const) {
      const browser = await service.signIn(adminEmail, adminPassword)
      const shift = (by: number) =>
        service.query(
          `update person_session set ${column} = ${column} - $1
           where created_at = (select max(created_at) from person_session)`,
          [by],
        )
      await shift(ms - 60_000)
      assert.equal((await browser.request('GET', 'session')).status, 200, column)
      await shift(ms)
      assert.equal((await browser.request('GET', 'session')).status, 401, column)
    }
  })
})

describe('the last admin', () => {
  it('cannot be removed or made less, also by two at the same time', async () => {
    const own = await findId(adminEmail)
    assert.deepEqual(codeOf(await service.admin.request('DELETE', `people/${own}`)), [409, 'last_admin'])
    const demoted = await service.admin.request('PUT', `people/${own}`, { body: { role: 'member' } })
    assert.deepEqual(codeOf(demoted), [409, 'last_admin'])
    // Somebody who is invited cannot let anybody in.
    await service.admin.request('POST', 'people', { body: { email: 'later@example.com', role: 'admin' } })
    assert.equal((await service.admin.request('DELETE', `people/${own}`)).status, 409)

    const second = await service.join('ida@example.com', 'admin')
    const other = await findId('ida@example.com')
    const answers = await Promise.all([
      service.admin.request('PUT', `people/${other}`, { body: { role: 'read' }, instance: 0 }),
      second.request('PUT', `people/${own}`, { body: { role: 'read' }, instance: 1 }),
    ])
    const [admins] = await service.query(
      `select count(*)::int as count from person where role = 'admin' and password_hash is not null`,
    )
    assert.ok((admins?.count as number) >= 1, JSON.stringify(answers.map(codeOf)))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
  })
})

describe('the log of changes', () => {
  it('names the person in both environments, and the filters find it', async () => {
    const admins = await service.query(
      `select email from person where role = 'admin' and password_hash is not null`,
    )
    const actor = `person:${admins[0]?.email}`
    const browser = await service.signIn(
      String(admins[0]?.email),
      actor.includes('ada') ? adminPassword : joinedPassword,
    )
    const invited = await browser.request('POST', 'people', {
      body: { email: 'joe@example.com', role: 'read' },
    })
    const subject = invited.body.person.personId
    for (const environment of ['test', 'live']) {
      const { body } = await browser.request('GET', `${environment}/audit-log?subject=${subject}`)
      assert.equal(body.entries.length, 1)
      const [entry] = body.entries
      assert.deepEqual([entry.actor, entry.action], [actor, 'person.invite'])
      assert.equal(entry.requestId, invited.headers['x-request-id'])
    }
    const ask = async (query: string) => (await browser.request('GET', `test/audit-log?${query}`)).body
    const people = await ask('action=person&limit=2')
    assert.equal(people.entries.length, 2)
    const next = await ask(`action=person&limit=2&cursor=${people.nextCursor}`)
    assert.ok(next.entries[0].entryNo < people.entries[1].entryNo)
    assert.ok(people.entries.every((entry: { action: string }) => entry.action.startsWith('person.')))
    assert.deepEqual((await ask('actor=person:nobody@example.com')).entries, [])
    assert.equal((await browser.request('GET', 'test/audit-log?cursor=x')).status, 400)
  })
})
