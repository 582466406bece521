// The types of the wire: made from openapi.json, current, and each operation reached by a method.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { generateTypes, listRoutes } from '../scripts/generate-types.ts'

const root = join(import.meta.dirname, '../..')
const compiler = join(root, 'node_modules/typescript/bin/tsc')
const document = JSON.parse(readFileSync(join(root, 'server/openapi.json'), 'utf8'))

type Sample = { label: string; source: string }

/** What the compiler says of the samples, with the client they use. */
async function typeCheck(program: string): Promise<string> {
  const folder = mkdtempSync(join(import.meta.dirname, 'samples-'))
  const opening =
    "import { Tollkeeper } from '../../src/sdk.ts'\nconst tk = new Tollkeeper({ apiKey: 'tk_test_x', baseUrl: 'http://localhost:4100' })\n"
  writeFileSync(join(folder, 'samples.ts'), `${opening}${program}`)
  const compilerOptions = { noEmit: true, noUnusedLocals: false }
  const config = { extends: '../../tsconfig.json', compilerOptions, include: ['samples.ts'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [compiler, '-p', folder]).catch(
      (error: { stdout: string }) => error,
    )
    return stdout
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

describe('src/generated/api.ts', () => {
  it('is what openapi.json says: run npm run sdk:types when this fails', () => {
    assert.equal(readFileSync(join(root, 'sdk/src/generated/api.ts'), 'utf8'), generateTypes(document))
  })

  it('follows a schema that changes', () => {
    const changed = structuredClone(document)
    changed.components.schemas.Bonus.properties.colour = { type: 'string', enum: ['red'] }
    assert.match(generateTypes(changed), /\n {2}colour\?: "red"\n/)
  })

  it('is exported from the package by every name but Error, which would hide the language’s own', () => {
    const entry = readFileSync(join(root, 'sdk/src/sdk.ts'), 'utf8')
    const listed = /export type \{([^}]*)\} from '\.\/generated\/api\.ts'/.exec(entry)?.[1] ?? ''
    const names = Object.keys(document.components.schemas).filter((name) => name !== 'Error')
    assert.deepEqual(listed.match(/\w+/g)?.sort(), names.sort())
  })

  it('is shown by a sample of every operation, and all samples type-check', async () => {
    const samples = listRoutes(document).map(({ route, operation }) => {
      const { 'x-codeSamples': of } = operation as unknown as { 'x-codeSamples': Sample[] }
      const sample = of.find(({ label }) => label === 'SDK')
      return sample ?? assert.fail(`${route} has none in server/src/http/openapi/code-samples.ts`)
    })
    const program = samples.map(({ source }) => `{\n${source}\n}`).join('\n')
    assert.equal(await typeCheck(program), '')
    assert.match(await typeCheck(program.replace("tk.access('acme')", 'tk.access(7)')), /TS2345/)
  })

  it('has a method for every operation of openapi.json', () => {
    const folder = join(root, 'sdk/src/resources')
    const source = globSync('*.ts', { cwd: folder }).map((file) => readFileSync(join(folder, file), 'utf8'))
    const called = new Set(source.join('\n').match(/(?<=call\(\s*')[A-Z]+ \/v1[^']*/g))
    assert.deepEqual(
      listRoutes(document)
        .map(({ route }) => route)
        .filter((route) => !called.has(route)),
      [],
    )
  })
})
