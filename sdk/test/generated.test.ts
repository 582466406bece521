// The types of the wire: made from openapi.json, current, and each operation reached by a method.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { generateTypes, listRoutes } from '../scripts/generate-types.ts'

const root = join(import.meta.dirname, '../..')
const document = JSON.parse(readFileSync(join(root, 'server/openapi.json'), 'utf8'))

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
