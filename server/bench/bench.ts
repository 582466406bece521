// npm run bench: measures the service against its baselines on this machine and prints a table. Fails only when the books
// are wrong; how fast it was is for the reader to judge. --quick, --only <name>, --growth, --profile.
import { parseArgs } from 'node:util'
import { findFaults } from './check.ts'
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
import { openStage } from './stage.ts'

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
const chosen = Object.entries(measures).filter(([name]) => values.only === undefined || name === values.only)
if (chosen.length === 0) {
  console.error(`There is no measure ${values.only}; there are ${Object.keys(measures).join(', ')}.`)
  process.exit(2)
}
const stage = await openStage(values.profile)
const rows: Row[] = []
let faults: string[]
try {
  for (const [name, measure] of chosen) {
    console.error(`measuring ${name}`)
    rows.push(...(await measure(stage, plan)))
  }
  faults = await findFaults(stage)
} finally {
  await stage.close()
}
printTable(rows)
for (const fault of faults.slice(0, 20)) console.error(`WRONG  ${fault}`)
console.log(faults.length === 0 ? 'The books are right.' : `${faults.length} faults in the books.`)
process.exit(faults.length === 0 ? 0 : 1)
