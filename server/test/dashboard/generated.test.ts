// The types that the dashboard's client is written against: made from the routes, and current.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { dashboardTypesFile, renderDashboardTypes } from '../../src/dashboard-types.ts'

describe('dashboard/src/api/generated.ts', () => {
  it('is what the routes say: run npm run dashboard:types when this fails', () => {
    assert.equal(readFileSync(dashboardTypesFile, 'utf8'), renderDashboardTypes())
  })

  it('names the environment of a path', () => {
    assert.doesNotMatch(
      renderDashboardTypes(),
      /\{environment\}[^']*': \{\n {4}(?!path: \{\n {6}environment: "test" \| "live")/,
    )
  })
})
