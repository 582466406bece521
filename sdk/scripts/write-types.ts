// npm run sdk:types: writes sdk/src/generated/api.ts from server/openapi.json; a test says when it is time to run this.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateTypes } from './generate-types.ts'

const root = join(import.meta.dirname, '../..')
const document = JSON.parse(readFileSync(join(root, 'server/openapi.json'), 'utf8'))
writeFileSync(join(root, 'sdk/src/generated/api.ts'), generateTypes(document))
