// Who owns a data folder: one live process, whatever was killed before, and nothing answered is lost.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, afterEach, describe, it } from 'node:test'
import { findEmbedded } from '../src/embedded-postgres.ts'
import { getUnprivilegedUser, isRoot } from '../src/server-user.ts'
import { isAlive, type Owner, query, readPostmasterPid, startOwner, until } from './owner-process.ts'
import { createTestFolder } from './test-folder.ts'

const folder = createTestFolder()
const dataDir = join(folder, 'data')
const owners: Owner[] = []

async function start(): Promise<Owner> {
  const owner = await startOwner(dataDir)
  owners.push(owner)
  return owner
}

afterEach(async () => {
  for (const owner of owners.splice(0)) await owner.end('SIGTERM')
})
after(() => rmSync(folder, { recursive: true, force: true }))

function readLog(pid: number): string {
  const lines = readFileSync(join(dataDir, 'postgres.log'), 'utf8').split('\n')
  return lines.filter((line) => line.includes(`[${pid}]`)).join('\n')
}

const isPartial = (name: string) => name.startsWith('new-')

describe('a data folder', () => {
  it('goes to exactly one of several first starts at once', async () => {
    const all = await Promise.all([start(), start(), start()])
    const winners = all.filter((owner) => owner.answer.refused === undefined)
    assert.equal(winners.length, 1)
    await query(winners[0]?.answer.connection, 'create table answered (number int)')
    await winners[0]?.end('SIGTERM')
  })

  it('is not harmed by a first start that was killed half-way', async () => {
    const cut = join(folder, 'cut')
    const killed = spawn(process.execPath, [join(import.meta.dirname, 'owner.ts'), cut])
    await until(() => existsSync(join(cut, 'postgres')) && readdirSync(join(cut, 'postgres')).some(isPartial))
    killed.kill('SIGKILL')
    const next = await startOwner(cut)
    owners.push(next)
    assert.deepEqual(await query(next.answer.connection, 'select 1'), [[1]])
    assert.deepEqual(readdirSync(join(cut, 'postgres')).filter(isPartial), [])
  })

  it('refuses a second instance in a sentence that names folder and owner, and the first goes on', async () => {
    const first = await start()
    const second = await start()
    assert.equal(
      second.answer.refused,
      `Another Tollkeeper (process ${first.process.pid}) is already using ${dataDir}; stop it, or set DATA_DIR to another folder.`,
    )
    assert.deepEqual(await query(first.answer.connection, 'select 1'), [[1]])
    await first.end('SIGTERM')
  })

  it('loses its PostgreSQL soon after the owner is killed', async () => {
    const owner = await start()
    const pid = readPostmasterPid(dataDir)
    await owner.end('SIGKILL')
    await until(() => !isAlive(pid))
    assert.equal(await findEmbedded({ dataDir }), undefined)
  })

  it('is taken over at once after a kill, with everything that was answered', async () => {
    for (let round = 1; round <= 5; round += 1) {
      const owner = await start()
      await query(owner.answer.connection, `insert into answered values (${round})`)
      await owner.end('SIGKILL')
    }
    const next = await start()
    assert.deepEqual(await query(next.answer.connection, 'select number from answered order by number'), [
      [1],
      [2],
      [3],
      [4],
      [5],
    ])
    await next.end('SIGTERM')
  })

  it('is taken over when PostgreSQL outlived its owner because the watchdog was killed too', async () => {
    const owner = await start()
    const pid = readPostmasterPid(dataDir)
    const watchdogs = execFileSync('pgrep', ['-f', `tollkeeper-watchdog ${pid}$`], { encoding: 'utf8' })
    for (const line of watchdogs.trim().split('\n')) process.kill(Number(line), 'SIGKILL')
    await query(owner.answer.connection, 'insert into answered values (6)')
    await owner.end('SIGKILL')
    assert.ok(isAlive(pid))
    const next = await start()
    assert.ok(!isAlive(pid))
    assert.deepEqual(next.notices, ['Stopping a PostgreSQL that was left running.'])
    assert.deepEqual(await query(next.answer.connection, 'select max(number) from answered'), [[6]])
    await next.end('SIGTERM')
  })

  it('starts although the number in a leftover pid file now belongs to another program', async () => {
    const owner = await start()
    const file = join(dataDir, 'postgres/data/postmaster.pid')
    const text = readFileSync(file, 'utf8')
    await owner.end('SIGTERM')
    // PostgreSQL itself only minds programs of its own user.
    const other = spawn('sleep', ['60'], isRoot() ? getUnprivilegedUser() : {})
    writeFileSync(file, text.replace(/^\d+/, String(other.pid)))
    const next = await start()
    other.kill()
    assert.deepEqual(await query(next.answer.connection, 'select 1'), [[1]])
    await next.end('SIGTERM')
  })
})

describe('a running PostgreSQL', () => {
  it('comes back by itself when it is killed, with everything that was answered', async () => {
    const owner = await start()
    const { connection } = owner.answer
    const pid = readPostmasterPid(dataDir)
    const busy = query(connection, `do $$ begin loop perform 1; end loop; end $$`).catch(() => 'cut')
    await query(connection, 'insert into answered values (7)')
    process.kill(pid, 'SIGKILL')
    await until(() =>
      query(connection, 'select 1').then(
        () => readPostmasterPid(dataDir) !== pid,
        () => false,
      ),
    )
    assert.deepEqual(await query(connection, 'select max(number) from answered'), [[7]])
    assert.equal(await busy, 'cut')
    assert.match(owner.notices[0] ?? '', /ended unexpectedly \(SIGKILL\); starting it again/)
    await owner.end('SIGTERM')
  })

  it('does not get the Ctrl-C that the terminal sends to the whole group', async () => {
    const owner = await start()
    const pid = readPostmasterPid(dataDir)
    process.kill(-(owner.process.pid ?? 0), 'SIGINT')
    // A signal would have been heard by now: a shutdown refuses new connections from its first moment.
    for (let times = 0; times < 3; times += 1) {
      assert.deepEqual(await query(owner.answer.connection, 'select 1'), [[1]])
    }
    assert.doesNotMatch(readLog(pid), /shutdown request/)
    await owner.end('SIGTERM')
    assert.match(readLog(pid), /shutdown request/)
  })
})
