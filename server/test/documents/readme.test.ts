// The README: its first calls, made in order on the demo data, are answered as it says.
import { describe, it } from 'node:test'
import { startTestService } from '../service.ts'
import { runDocument } from './run-document.ts'

describe('the README', () => {
  it('has first calls that are answered as it says', async () => {
    const service = await startTestService({ variables: { TOLLKEEPER_DEMO: '1' } })
    try {
      await service.instances[0]?.startDemo()
      await runDocument('README.md', service)
    } finally {
      await service.close()
    }
  })
})
