// Writes the types of the dashboard's own API from its routes; a test says when it is time to run this (npm run dashboard:types).
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { dashboardTypesFile, renderDashboardTypes } from '../dashboard-types.ts'

mkdirSync(dirname(dashboardTypesFile), { recursive: true })
writeFileSync(dashboardTypesFile, renderDashboardTypes())
