// Folders of every kind: closed, long, under a private home, as root and as an ordinary user.
import assert from 'node:assert/strict'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { findEmbedded, startEmbeddedPostgres } from '../src/embedded-postgres.ts'
import { getUnprivilegedUser, isReachable, isRoot } from '../src/server-user.ts'
import { StartError } from '../src/start-error.ts'
import { query, startOwner } from './owner-process.ts'
import { createTestFolder } from './test-folder.ts'

const folder = createTestFolder()
after(() => fs.rmSync(folder, { recursive: true, force: true }))

const onlyRoot = isRoot() ? false : 'needs root, to act as another user'
const unreachable = isRoot() && !isReachable(import.meta.dirname, getUnprivilegedUser())
const skipUser = onlyRoot || (unreachable ? 'the ordinary user cannot read the project here' : false)

async function assertRefused(dataDir: string, sentence: string): Promise<void> {
  await assert.rejects(startEmbeddedPostgres({ dataDir }), (error) => {
    assert.ok(error instanceof StartError)
    assert.equal(error.message, sentence)
    return true
  })
}

describe('a folder that cannot be used', () => {
  it('is told in one sentence when it cannot be written', { skip: isRoot() && skipUser }, async () => {
    const closed = join(folder, 'closed')
    fs.mkdirSync(closed)
    // To root nothing is closed, so there an ordinary user tries.
    if (!isRoot()) fs.chmodSync(closed, 0o555)
    const { answer } = await startOwner(closed, isRoot() ? getUnprivilegedUser() : {})
    assert.equal(
      answer.refused,
      `The data folder ${closed} cannot be used: permission denied; make it writable or set DATA_DIR to another folder.`,
    )
    const below = await startOwner(join(closed, 'below'), isRoot() ? getUnprivilegedUser() : {})
    assert.match(below.answer.refused ?? '', /closed\/below cannot be used: permission denied;/)
  })

  it('is told in one sentence when it is, or lies below, a file', async () => {
    const file = join(folder, 'file')
    fs.writeFileSync(file, '')
    const advice = 'make it writable or set DATA_DIR to another folder.'
    await assertRefused(file, `The data folder ${file} cannot be used: a file is in its place; ${advice}`)
    await assertRefused(
      join(file, 'x'),
      `The data folder ${join(file, 'x')} cannot be used: a part of the path is a file; ${advice}`,
    )
  })

  it('is told in one sentence when its place takes no folders', {
    skip: !fs.existsSync('/proc'),
  }, async () => {
    await assert.rejects(startEmbeddedPostgres({ dataDir: '/proc/not/there' }), (error) => {
      assert.ok(error instanceof StartError)
      assert.match(error.message, /^The data folder \/proc\/not\/there cannot be used: /)
      return true
    })
  })

  it('is told in one sentence when its database was elsewhere and is gone', async () => {
    const dataDir = join(folder, 'lost')
    fs.mkdirSync(dataDir)
    fs.symlinkSync('/nowhere/at/all', join(dataDir, 'postgres'))
    await assert.rejects(startEmbeddedPostgres({ dataDir }), /was kept in \/nowhere\/at\/all, which is gone/)
  })
})

describe('a long path', () => {
  it('works, with its socket elsewhere and nothing left there after the stop', async () => {
    const dataDir = join(folder, 'long', 'ä'.repeat(60), 'x'.repeat(200))
    const server = await startEmbeddedPostgres({ dataDir })
    assert.match(String(server.connection.host), /^\/tmp\/tollkeeper-[0-9a-f]{16}$/)
    assert.deepEqual(await query(server.connection, 'select 1'), [[1]])
    assert.deepEqual(await findEmbedded({ dataDir }), server.connection)
    await server.stop()
    assert.equal(fs.existsSync(String(server.connection.host)), false)
    await (await startEmbeddedPostgres({ dataDir })).stop()
  })
})

describe('private homes', () => {
  it('an ordinary user starts it under a home closed to others', { skip: skipUser }, async () => {
    const user = getUnprivilegedUser()
    const home = join(folder, 'home')
    fs.mkdirSync(home, { mode: 0o700 })
    fs.chownSync(home, user.uid, user.gid)
    const dataDir = join(home, '.tollkeeper')
    const owner = await startOwner(dataDir, { ...user, env: { HOME: home } })
    assert.equal(owner.answer.refused, undefined)
    assert.deepEqual(await query(owner.answer.connection, 'select 1'), [[1]])
    assert.equal(fs.statSync(home).mode & 0o777, 0o700)
    assert.equal(fs.statSync(dataDir).mode & 0o777, 0o700)
    await owner.end('SIGTERM')

    // Root goes on with it as that user, who then can use it again.
    await (await startEmbeddedPostgres({ dataDir })).stop()
    const again = await startOwner(dataDir, { ...user, env: { HOME: home } })
    assert.equal(again.answer.refused, undefined)
    await again.end('SIGTERM')
  })

  it("root's own closed home stays closed: the data lies outside, behind a link", {
    skip: onlyRoot,
  }, async () => {
    const home = join(folder, 'root-home')
    fs.mkdirSync(home, { mode: 0o700 })
    const dataDir = join(home, '.tollkeeper')
    const server = await startEmbeddedPostgres({ dataDir })
    const target = fs.readlinkSync(join(dataDir, 'postgres'))
    after(() => fs.rmSync(target, { recursive: true, force: true }))
    assert.match(target, /^\/var\/lib\/tollkeeper\/[0-9a-f]{16}$/)
    assert.deepEqual(await query(server.connection, 'select 1'), [[1]])
    assert.deepEqual(await findEmbedded({ dataDir }), server.connection)
    assert.equal(fs.statSync(home).mode & 0o777, 0o700)
    await server.stop()
  })

  it("another user's database is refused in one sentence", { skip: skipUser }, async () => {
    const dataDir = join(folder, 'shared')
    await (await startEmbeddedPostgres({ dataDir })).stop()
    fs.chmodSync(dataDir, 0o777)
    fs.chownSync(join(dataDir, 'postgres'), 1, 1)
    const { answer } = await startOwner(dataDir, getUnprivilegedUser())
    assert.match(answer.refused ?? '', /belongs to another user \(id 1\); start Tollkeeper as that user/)
  })
})
