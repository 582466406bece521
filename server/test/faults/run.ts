// npm run faults: breaks the service, its database, the network between them and the disk again and again under load, with
// callers that retry under the same key. Nothing that was answered may be lost, nothing that was retried doubled. Seconds per
// fault as argument, then names of the kinds to run, all unless given.
import { runBrokenNetwork } from './broken-network.ts'
import { runCrashes } from './crashes.ts'
import { runDiskFull } from './disk-full.ts'

/** Runs one fault; what it returns is said beside its name. */
export type Report = (name: string, run: () => Promise<string>) => Promise<void>

const kinds = { crashes: runCrashes, network: runBrokenNetwork, disk: runDiskFull }

const [given = '20', ...names] = process.argv.slice(2)
let passed = 0
let failed = 0

const report: Report = async (name, run) => {
  try {
    console.log(`✔ ${name}: ${await run()}`)
    passed++
  } catch (error) {
    console.log(`✖ ${name}: ${(error as Error).message}`)
    failed++
  }
}

for (const [kind, run] of Object.entries(kinds))
  if (names.length === 0 || names.includes(kind)) await run(Number(given), report)
console.log(`${passed} passed, ${failed} failed`)
process.exit(failed === 0 && passed > 0 ? 0 : 1)
