// Writes openapi.json from the routes; a test says when it is time to run this (npm run openapi).
import { writeFileSync } from 'node:fs'
import { routes } from '../app.ts'
import { openApiFile } from '../http/documents.ts'
import { buildOpenApi } from '../http/openapi.ts'

writeFileSync(openApiFile, `${JSON.stringify(buildOpenApi(routes), null, 2)}\n`)
