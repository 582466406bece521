// npm run bench: measures the service against its baselines on this machine and prints a table. Fails only when the books
// are wrong; how fast it was is for the reader to judge. --quick, --only <name>, --growth, --dashboard,
// --profile.
import { parseArgs } from 'node:util'
import { openBenchFixture } from './bench-fixture.ts'
import { findFaults } from './check.ts'
import { measureDashboard } from './dashboard.ts'
import { measureFirstAnswer } from './first-answer.ts'
import { measureGrowth } from './growth.ts'
import {
  type Measure,
  measureAlone,
  measureBatches,
  measureHot,
  measurePair,
  measureReads,
  measureWrites,
  type Row,
} from './measures.ts'
import { quickPlan, usualPlan } from './rounds.ts'

const measures: Record<string, Measure> = {
  reads: measureReads,
  writes: measureWrites,
  batches: measureBatches,
  alone: measureAlone,
  pair: measurePair,
  hot: measureHot,
}

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    growth: { type: 'boolean', default: false },
    dashboard: { type: 'boolean', default: false },
    profile: { type: 'boolean', default: false },
    only: { type: 'string' },
  },
})

function printTable(rows: Row[]): void {
  const all = [{ measure: 'measure', must: 'must', aim: 'aim', seen: 'seen' }, ...rows]
  const names = ['measure', 'must', 'aim', 'seen'] as const
  const widths = names.map((name) => Math.max(...all.map((row) => row[name].length)))
  for (const [index, row] of all.entries()) {
    console.log(`| ${names.map((name, column) => row[name].padEnd(widths[column] as number)).join(' | ')} |`)
    if (index === 0) console.log(`|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`)
  }
}

const plan = values.quick ? quickPlan : usualPlan

/** The measures on one fixture, and whether the books were right after them. */
async function runMeasures(chosen: [string, Measure][]): Promise<{ rows: Row[]; faults: string[] }> {
  if (chosen.length === 0) return { rows: [], faults: [] }
  const fixture = await openBenchFixture(values.profile)
  const rows: Row[] = []
  try {
    for (const [name, measure] of chosen) {
      console.error(`measuring ${name}`)
      rows.push(...(await measure(fixture, plan)))
    }
    return { rows, faults: await findFaults(fixture) }
  } finally {
    await fixture.close()
  }
}

const isAsked = (name: string) => values.only === undefined || values.only === name
const names = [...Object.keys(measures), 'start']
if (values.only !== undefined && !names.includes(values.only)) {
  console.error(`There is no measure ${values.only}; there are ${names.join(', ')}.`)
  process.exit(2)
}
const isOfTables = values.growth || values.dashboard
const { rows, faults } = isOfTables
  ? {
      rows: values.growth ? await measureGrowth(plan, values.quick) : await measureDashboard(values.quick),
      faults: [],
    }
  : await runMeasures(Object.entries(measures).filter(([name]) => isAsked(name)))
if (!isOfTables && isAsked('start')) rows.push(...(await measureFirstAnswer(plan)))
printTable(rows)
for (const fault of faults.slice(0, 20)) console.error(`WRONG  ${fault}`)
console.log(faults.length === 0 ? 'The books are right.' : `${faults.length} faults in the books.`)
process.exit(faults.length === 0 ? 0 : 1)
