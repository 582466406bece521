// Folders for tests of the local PostgreSQL.
import { chmodSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** One that PostgreSQL's user can pass through also when root made it. */
export function createTestFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tollkeeper-test-'))
  chmodSync(folder, 0o711)
  return folder
}
