// The guides: every command and program in them runs as it stands there and is answered as they say.
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { startTestService } from '../service.ts'
import { readBlocks, runDocument } from './run-document.ts'

const root = join(import.meta.dirname, '../../..')
const guides = ['docs/concepts.md', ...globSync('docs/recipes/*.md', { cwd: root }).sort()]

describe('guides', () => {
  for (const path of guides)
    it(`${path} does what it says`, async () => {
      assert.ok(readBlocks(path).some(({ kind }) => kind === 'json' || kind === 'text'))
      const service = await startTestService()
      try {
        await runDocument(path, service)
      } finally {
        await service.close()
      }
    })
})
