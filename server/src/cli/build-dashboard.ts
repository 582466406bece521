// Builds the dashboard's pages beside the running service, at low priority; nobody waits for it. A build that is still current
// ends at once and says nothing.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { constants, setPriority } from 'node:os'
import { join } from 'node:path'

const script = join(import.meta.dirname, '../../../scripts/build-dashboard.mjs')

// The script writes when it begins to build; what it says beyond that is for whoever runs it by hand.
/** Returns what stops it. Does nothing where the pages come built and the script is left out. */
export function buildDashboard(say: (mark: string, text: string) => void): () => void {
  if (!existsSync(script)) return () => {}
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'pipe'] })
  let isBuilding = false
  let complaint = ''
  child.once('spawn', () => {
    try {
      setPriority(child.pid as number, constants.priority.PRIORITY_LOW)
    } catch {
      // It is only a courtesy, and the child may be gone.
    }
  })
  child.stdout.on('data', () => {
    if (!isBuilding) say('·', 'Building the dashboard (first start only)…')
    isBuilding = true
  })
  child.stderr.on('data', (chunk) => {
    complaint = `${complaint}${chunk}`.slice(-2_000)
  })
  child.once('error', (error) => say('✘', `The dashboard cannot be built: ${error.message}`))
  child.once('close', (code, signal) => {
    if (signal !== null) return
    if (code !== 0) say('✘', `The dashboard could not be built: ${complaint.trim()}`)
    else if (isBuilding) say('✔', 'Dashboard built')
  })
  return () => child.kill()
}
