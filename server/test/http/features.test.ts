// Features: creating, reading, updating, archiving and deleting them.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestService, type TestService } from '../service.ts'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

const create = (body: object) => service.request('POST', '/v1/features', { body })

async function assertRefused(body: object, field: RegExp): Promise<void> {
  const answer = await create(body)
  assert.equal(answer.status, 400, answer.text)
  assert.match(answer.body.error, field)
}

describe('POST /v1/features', () => {
  describe('201', () => {
    it('makes a limit feature that tracks usage and resets monthly by the billing cycle unless told otherwise', async () => {
      const { status, body } = await create({ featureKey: 'calls', name: 'API calls', type: 'limit' })
      assert.equal(status, 201)
      const { id, ...rest } = body.feature
      assert.match(id, /^[0-9a-f-]{36}$/)
      assert.deepEqual(rest, {
        featureKey: 'calls',
        name: 'API calls',
        type: 'limit',
        tracksUsage: true,
        usageResetInterval: 'month',
        usageResetAnchor: 'billing_cycle',
        isArchived: false,
        archivedAt: null,
        archivedReason: null,
      })
    })

    it('makes a boolean feature that tracks nothing and never resets', async () => {
      const { body } = await create({ featureKey: 'sso', name: 'SSO', type: 'boolean', description: 'a\nb' })
      const { tracksUsage, usageResetInterval, description } = body.feature
      assert.deepEqual([tracksUsage, usageResetInterval, description], [false, 'never', 'a\nb'])
    })

    it('takes every interval and anchor', async () => {
      for (const usageResetInterval of ['never', 'hour', 'day', 'week', 'month', 'quarter', 'year']) {
        for (const usageResetAnchor of ['billing_cycle', 'calendar']) {
          const featureKey = `${usageResetInterval}.${usageResetAnchor}`
          const sent = { featureKey, name: 'x', type: 'limit', usageResetInterval, usageResetAnchor }
          const { body } = await create(sent)
          assert.equal(body.feature.usageResetInterval, usageResetInterval)
          assert.equal(body.feature.usageResetAnchor, usageResetAnchor)
        }
      }
    })

    it('shows never for a limit feature that tracks no usage; turned on, it has what it was made with', async () => {
      const sent = { name: 'x', type: 'limit', tracksUsage: false }
      const turnOn = async (featureKey: string) =>
        (await service.request('PUT', `/v1/features/${featureKey}`, { body: { tracksUsage: true } })).body
          .feature.usageResetInterval
      assert.equal((await create({ ...sent, featureKey: 'cap' })).body.feature.usageResetInterval, 'never')
      assert.equal(await turnOn('cap'), 'month')
      const never = { ...sent, featureKey: 'never-cap', usageResetInterval: 'never' }
      assert.equal((await create(never)).body.feature.usageResetInterval, 'never')
      assert.equal(await turnOn('never-cap'), 'never')
    })

    it('lets the other environment have the same key', async () => {
      const body = { featureKey: 'both', name: 'x', type: 'boolean' }
      assert.equal((await create(body)).status, 201)
      assert.equal(
        (await service.request('POST', '/v1/features', { body, key: service.keys.live })).status,
        201,
      )
    })
  })

  describe('400', () => {
    it('refuses usage tracking or an interval on a boolean feature', async () => {
      await assertRefused({ featureKey: 'b1', name: 'x', type: 'boolean', tracksUsage: true }, /^tracksUsage/)
      await assertRefused(
        { featureKey: 'b1', name: 'x', type: 'boolean', usageResetInterval: 'month' },
        /^usageResetInterval/,
      )
    })

    it('refuses an anchor on a boolean feature, which never resets', async () => {
      const sent = { featureKey: 'b-anchor', name: 'x', type: 'boolean' }
      await assertRefused({ ...sent, usageResetAnchor: 'calendar' }, /^usageResetAnchor/)
      assert.equal((await create({ ...sent, usageResetAnchor: 'billing_cycle' })).status, 201)
      const changed = { body: { usageResetAnchor: 'calendar' } }
      assert.equal((await service.request('PUT', '/v1/features/b-anchor', changed)).status, 400)
    })

    it('refuses an interval on a feature that does not track usage', async () => {
      const sent = { featureKey: 'b1', name: 'x', type: 'limit', tracksUsage: false }
      await assertRefused(
        { ...sent, usageResetInterval: 'day' },
        /^usageResetInterval must be "never" .*"day" came/,
      )
    })

    it('names the field that is missing, of a wrong type, unknown or null', async () => {
      const good = { featureKey: 'b2', name: 'x', type: 'boolean' }
      await assertRefused({ ...good, featureKey: undefined }, /^featureKey is required/)
      await assertRefused({ ...good, name: 7 }, /^name must be a string, but 7 came/)
      await assertRefused({ ...good, type: 'meter' }, /^type must be one of "boolean", "limit"/)
      await assertRefused({ ...good, color: 'red' }, /^"color" is not a known field/)
      await assertRefused({ ...good, description: null }, /^description .*null came/)
    })

    it('refuses keys outside letters, digits and . _ : - or over 128 characters', async () => {
      for (const featureKey of ['', '-a', '.', 'a b', 'ä', 'a/b', 'a'.repeat(129)]) {
        await assertRefused({ featureKey, name: 'x', type: 'boolean' }, /^featureKey must/)
      }
      const longest = 'A'.repeat(128)
      assert.equal((await create({ featureKey: longest, name: 'x', type: 'boolean' })).status, 201)
    })
  })

  describe('409', () => {
    it('keeps a taken key with its feature, also among concurrent callers and archived features', async () => {
      const sent = { featureKey: 'once', name: 'x', type: 'limit' }
      const statuses = (await Promise.all(Array.from({ length: 12 }, () => create(sent)))).map(
        (answer) => answer.status,
      )
      assert.deepEqual(statuses.sort(), [201, ...Array(11).fill(409)])
      await service.request('POST', '/v1/features/once/archive', { body: { archived: true } })
      const again = await create(sent)
      assert.equal(again.status, 409)
      assert.equal(again.headers['x-error-code'], 'feature_key_taken')
    })
  })
})

describe('GET and PUT /v1/features/{featureKey}', () => {
  describe('200', () => {
    it('changes what is sent and leaves the rest alone', async () => {
      await create({ featureKey: 'put', name: 'old', type: 'limit', description: 'kept' })
      const put = await service.request('PUT', '/v1/features/put', {
        body: { name: 'new', usageResetInterval: 'week', usageResetAnchor: 'calendar' },
      })
      assert.equal(put.status, 200)
      const { body } = await service.request('GET', '/v1/features/put')
      assert.deepEqual(body, put.body)
      const { name, description, usageResetInterval, usageResetAnchor, tracksUsage } = body.feature
      assert.deepEqual(
        [name, description, usageResetInterval, usageResetAnchor, tracksUsage],
        ['new', 'kept', 'week', 'calendar', true],
      )
    })

    it('takes an empty or absent body as no change', async () => {
      await create({ featureKey: 'same', name: 'same', type: 'limit' })
      const { body: before } = await service.request('GET', '/v1/features/same')
      const answers = [
        await service.request('PUT', '/v1/features/same', { body: {} }),
        await service.request('PUT', '/v1/features/same'),
        await service.request('PUT', '/v1/features/same', {
          raw: '',
          headers: { 'content-type': 'text/csv' },
        }),
      ]
      for (const answer of answers) assert.deepEqual([answer.status, answer.body], [200, before])
    })

    it('gives never as soon as tracking is turned off', async () => {
      await create({ featureKey: 'off', name: 'x', type: 'limit' })
      const { body } = await service.request('PUT', '/v1/features/off', { body: { tracksUsage: false } })
      assert.deepEqual([body.feature.tracksUsage, body.feature.usageResetInterval], [false, 'never'])
    })
  })

  describe('400', () => {
    it('never changes type or key', async () => {
      await create({ featureKey: 'fixed', name: 'x', type: 'limit' })
      for (const body of [{ type: 'boolean' }, { featureKey: 'other' }]) {
        const { status } = await service.request('PUT', '/v1/features/fixed', { body })
        assert.equal(status, 400)
      }
    })
  })

  describe('404', () => {
    it('knows neither a missing feature nor one of the other environment', async () => {
      const body = { featureKey: 'live-only', name: 'x', type: 'boolean' }
      await service.request('POST', '/v1/features', { body, key: service.keys.live })
      for (const featureKey of ['nothing', 'live-only']) {
        const path = `/v1/features/${featureKey}`
        assert.equal((await service.request('GET', path)).status, 404)
        assert.equal((await service.request('PUT', path, { body: { name: 'x' } })).status, 404)
        assert.equal((await service.request('DELETE', path)).status, 404)
        const archive = await service.request('POST', `${path}/archive`, { body: { archived: true } })
        assert.equal(archive.status, 404)
      }
      const kept = await service.request('GET', '/v1/features/live-only', { key: service.keys.live })
      assert.equal(kept.status, 200)
    })
  })
})

describe('PUT /v1/features/{featureKey}: tracking and null', () => {
  const update = (featureKey: string, body: object) =>
    service.request('PUT', `/v1/features/${featureKey}`, { body })
  const shown = ({ body }: Awaited<ReturnType<typeof update>>) => {
    const { tracksUsage, usageResetInterval, usageResetAnchor } = body.feature
    return [tracksUsage, usageResetInterval, usageResetAnchor]
  }

  it('200: turning tracking off keeps interval and anchor, turning it on restores them', async () => {
    const daily = { usageResetInterval: 'day', usageResetAnchor: 'calendar' }
    await create({ featureKey: 'toggled', name: 'x', type: 'limit', ...daily })
    assert.deepEqual(shown(await update('toggled', { tracksUsage: false })), [false, 'never', 'calendar'])
    assert.deepEqual(shown(await update('toggled', { usageResetInterval: 'never' })), [
      false,
      'never',
      'calendar',
    ])
    assert.deepEqual(shown(await update('toggled', { tracksUsage: true })), [true, 'day', 'calendar'])
    await update('toggled', { tracksUsage: false })
    const week = { tracksUsage: true, usageResetInterval: 'week' }
    assert.deepEqual(shown(await update('toggled', week)), [true, 'week', 'calendar'])
  })

  it('400: an interval while it does not track, also together with turning it off', async () => {
    await create({ featureKey: 'untracked', name: 'x', type: 'limit', tracksUsage: false })
    assert.equal((await update('untracked', { usageResetInterval: 'day' })).status, 400)
    await update('untracked', { tracksUsage: true })
    assert.equal((await update('untracked', { tracksUsage: false, usageResetInterval: 'day' })).status, 400)
  })

  it('200: null clears the description; 400: null for anything else', async () => {
    await create({ featureKey: 'described', name: 'x', type: 'limit', description: 'a\tb\r\nc' })
    const { body } = await update('described', { description: null })
    assert.equal('description' in body.feature, false)
    for (const field of ['name', 'tracksUsage', 'usageResetInterval', 'usageResetAnchor'])
      assert.equal((await update('described', { [field]: null })).status, 400, field)
  })
})

describe('POST /v1/features/{featureKey}/archive: reason', () => {
  it('400: a reason for unarchiving, which would be lost', async () => {
    await create({ featureKey: 'reasoned', name: 'x', type: 'boolean' })
    const archive = (body: object) => service.request('POST', '/v1/features/reasoned/archive', { body })
    assert.equal((await archive({ archived: true, reason: 'old\nand tired' })).status, 200)
    const { status, body } = await archive({ archived: false, reason: 'new' })
    assert.equal(status, 400)
    assert.match(body.error, /^reason goes with archived: true/)
    assert.equal((await archive({ archived: false })).body.feature.archivedReason, null)
  })
})
