// tollkeeper doctor: what it says of a healthy installation, and of each thing that can be wrong with it.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { createTestDatabase } from '../database.ts'
import { startTestService, type TestService } from '../service.ts'
import { spawnCommand, toDatabaseUrl } from './command.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'tollkeeper-doctor-'))
let service: TestService
before(async () => {
  service = await startTestService()
})
after(async () => {
  await service.close()
  rmSync(dataDir, { recursive: true, force: true })
})

type Finding = { check: string; state: string; text: string; todo?: string }

async function examine(variables: Record<string, string>) {
  const words = ['doctor', '--json']
  const { code, stdout } = await spawnCommand(words, { DATA_DIR: dataDir, ...variables }).ended
  const findings: Finding[] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  return { code, find: (check: string) => findings.find((finding) => finding.check === check) }
}

const healthy = () => ({
  DATABASE_URL: toDatabaseUrl(service.database.connection),
  PUBLIC_URL: service.urls[0] as string,
})

describe('doctor', () => {
  it('finds nothing wrong with a healthy installation', async () => {
    const { code, find } = await examine(healthy())
    for (const check of ['Configuration', 'Database', 'Schema', 'Clock', 'Address'])
      assert.equal(find(check)?.state, 'ok', check)
    assert.equal(find('Payments (test)')?.text, 'simulator')
    assert.equal(find('Payments (live)')?.state, 'note')
    assert.equal(code, 0)
  })

  it('names every variable that is wrong', async () => {
    const { code, find } = await examine({ PORT: 'x' })
    assert.match(find('Configuration')?.text ?? '', /^PORT must be/)
    assert.equal(code, 1)
  })

  it('says that the database cannot be reached', async () => {
    const { code, find } = await examine({
      ...healthy(),
      DATABASE_URL: 'postgres://nobody:x@127.0.0.1:1/none',
    })
    assert.equal(find('Database')?.state, 'failed')
    assert.match(find('Database')?.todo ?? '', /DATABASE_URL/)
    assert.equal(code, 1)
  })

  it('says that the address leads nowhere', async () => {
    const { code, find } = await examine({ ...healthy(), PUBLIC_URL: 'http://127.0.0.1:1' })
    assert.equal(find('Address')?.state, 'failed')
    assert.equal(code, 1)
  })

  it('says that the schema is another version’s', async () => {
    const other = await createTestDatabase()
    const client = new pg.Client(other.connection)
    await client.connect()
    try {
      await client.query('delete from migration where name = (select max(name) from migration)')
      const { code, find } = await examine({ ...healthy(), DATABASE_URL: toDatabaseUrl(other.connection) })
      assert.equal(find('Schema')?.state, 'failed')
      assert.equal(code, 1)
    } finally {
      await client.end()
      await other.drop()
    }
  })
})
