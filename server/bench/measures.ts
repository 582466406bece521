// The measures: each compares the service with its baselines in interleaved rounds and tells rows for the table.
import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchFixture, RunAsk, Target } from './bench-fixture.ts'
import { type Costs, readCosts, subtractCosts } from './costs.ts'
import { batchSize, type Kind } from './requests.ts'
import { median, medianRatio, type Plan, type Runner, runInTurns } from './rounds.ts'

export type Row = { measure: string; must: string; aim: string; seen: string }
export type Measure = (fixture: BenchFixture, plan: Plan) => Promise<Row[]>

const ratio = (value: number) => value.toFixed(2)
const times = (value: number) => `${value.toFixed(1)} ×`
const thousands = (value: number) => `${(value / 1000).toFixed(1)}k/s`

const runner =
  (fixture: BenchFixture, target: Target, ask: Omit<RunAsk, 'durationMs'>): Runner =>
  async (durationMs) =>
    (await fixture.run(target, { ...ask, durationMs })).perSecond

/** From here on the bare baseline's answers are as long as the service's, heads included. */
async function matchBytes({ bare, run }: BenchFixture, kind: Kind): Promise<void> {
  const ask = { kind, connections: 4, durationMs: 200 }
  await bare.ask('answerWith', 1000)
  const own = (await run('bare', ask)).bytesPerAnswer
  const ours = (await run('service', ask)).bytesPerAnswer
  await bare.ask('answerWith', Math.round(1000 + ours - own))
}

type Total = Costs & { requests: number; statements: number; coreShare: number }
type Observed = { runner: Runner; total: Total }

/** A runner that also adds up what its runs cost, the first one, which warms up, left out. */
function observe(
  fixture: BenchFixture,
  target: 'service' | 'bare',
  kind: Kind,
  connections: number,
): Observed {
  const total = {
    serviceMs: 0,
    databaseMs: 0,
    walBytes: 0,
    bufferHits: 0,
    requests: 0,
    statements: 0,
    coreShare: 0,
  }
  const look = async () => ({
    costs: await readCosts(fixture.client, [fixture[target].pid]),
    statements: Number(await fixture.service.ask('statements')),
  })
  let isWarm = false
  const runOnce: Runner = async (durationMs) => {
    const before = await look()
    const { requests, perSecond, coreShare } = await fixture.run(target, { kind, connections, durationMs })
    const after = await look()
    if (isWarm) {
      const costs = subtractCosts(after.costs, before.costs)
      for (const name of ['serviceMs', 'databaseMs', 'walBytes', 'bufferHits'] as const) {
        total[name] += costs[name]
      }
      total.requests += requests
      total.coreShare = Math.max(total.coreShare, coreShare)
      total.statements += after.statements - before.statements
    }
    isWarm = true
    return perSecond
  }
  return { runner: runOnce, total }
}

const micros = (ms: number, { requests }: Total) => Math.round((ms * 1000) / requests)

const fact = (measure: string, seen: string): Row => ({ measure, must: '', aim: '', seen })

/** Steadier than time: what does not depend on how busy the machine is. */
function listCounts(what: string, { total }: Observed, events: number): Row[] {
  const { statements, bufferHits, walBytes } = total
  const each = total.requests * events
  return [
    fact(`statements per ${what}`, (statements / each).toFixed(events > 1 ? 3 : 2)),
    fact(`buffer hits per ${what}`, (bufferHits / each).toFixed(1)),
    fact(`WAL bytes per ${what}`, (walBytes / each).toFixed(0)),
  ]
}

type Goals = { bare: [string, string]; plain: [string, string]; cpu: [string, string] }

async function compareWithBaselines(
  fixture: BenchFixture,
  plan: Plan,
  kind: 'read' | 'write',
  goals: Goals,
): Promise<Row[]> {
  await matchBytes(fixture, kind)
  const bareObserved = observe(fixture, 'bare', kind, 32)
  const observed = observe(fixture, 'service', kind, 32)
  const { bare, plain, service } = await runInTurns(plan, {
    bare: bareObserved.runner,
    plain: runner(fixture, 'plain', { kind, connections: 32 }),
    service: observed.runner,
  })
  const rates = [service, bare, plain].map((values) => thousands(median(values)))
  const { total } = observed
  const cpu = [micros(total.serviceMs, total), micros(total.databaseMs, total)] as const
  const bareCpu = micros(bareObserved.total.serviceMs, bareObserved.total)
  const inBare = cpu.map((each) => (each / bareCpu).toFixed(1)).join(' + ')
  const row = (measure: string, [must, aim]: [string, string], seen: string) => ({ measure, must, aim, seen })
  const isBusy = Math.max(total.coreShare, bareObserved.total.coreShare) > 0.8
  return [
    // First, because it does not depend on the generator.
    row(
      `CPU of a ${kind} in bare requests, service + database`,
      goals.cpu,
      `${inBare} (${cpu.join(' + ')} µs of ${bareCpu})`,
    ),
    fact(
      `cores used by the generator: ${kind}s, bare`,
      `${ratio(total.coreShare)}, ${ratio(bareObserved.total.coreShare)}${isBusy ? ' — it is the bottleneck' : ''}`,
    ),
    row(`${kind}s ÷ bare`, goals.bare, `${ratio(medianRatio(service, bare))} (${rates[0]} of ${rates[1]})`),
    row(`${kind}s ÷ plain`, goals.plain, `${times(medianRatio(service, plain))} (of ${rates[2]})`),
    ...listCounts(kind, observed, 1),
  ]
}

export const measureReads: Measure = (fixture, plan) =>
  compareWithBaselines(fixture, plan, 'read', {
    bare: ['0.35', '0.5'],
    plain: ['3 ×', '5 ×'],
    cpu: ['', '2.8 + …'],
  })

export const measureWrites: Measure = (fixture, plan) =>
  compareWithBaselines(fixture, plan, 'write', {
    bare: ['0.14', '0.25'],
    plain: ['2.5 ×', '3.5 ×'],
    cpu: ['', ''],
  })

export const measureBatches: Measure = async (fixture, plan) => {
  const observed = observe(fixture, 'service', 'batch', 8)
  const { service, driver } = await runInTurns(plan, {
    service: observed.runner,
    driver: (durationMs) =>
      fixture.driver.ask('recordEvents', { customers: fixture.subjects.customers, durationMs }),
  })
  const events = service.map((value) => value * batchSize)
  const seen = `${times(medianRatio(events, driver))} (${thousands(median(events))})`
  return [
    {
      measure: 'events/s in batches of 100, 8 connections ÷ driver transactions/s',
      must: '4 ×',
      aim: '6 ×',
      seen,
    },
    ...listCounts('event in a batch', observed, batchSize),
  ]
}

export const measureAlone: Measure = async (fixture, plan) => {
  const latency =
    (target: Target, kind: Kind): Runner =>
    async (durationMs) =>
      (await fixture.run(target, { kind, connections: 1, durationMs })).p50Ms
  const rows: Row[] = []
  for (const kind of ['read', 'write'] as const) {
    const { plain, service } = await runInTurns(plan, {
      plain: latency('plain', kind),
      service: latency('service', kind),
    })
    const seen = `${ratio(medianRatio(service, plain))} (${median(service).toFixed(2)} ms)`
    rows.push({ measure: `p50 of a ${kind} at 1 connection ÷ plain`, must: '1.3', aim: '1.0', seen })
  }
  return rows
}

const settleMs = 1_200

export const measurePair: Measure = async (fixture, plan) => {
  const ask = { kind: 'write' as const, connections: 32 }
  const runOne = runner(fixture, 'service', ask)
  const { one, two } = await runInTurns(plan, {
    // First it finds again what the other one changed, and then that it is alone.
    one: async (durationMs) => {
      await runOne(settleMs)
      await sleep(settleMs)
      return runOne(durationMs)
    },
    two: runner(fixture, 'pair', ask),
  })
  const seen = `${ratio(medianRatio(two, one))} (${thousands(median(two))})`
  return [{ measure: 'writes of two instances ÷ one, shared customers', must: '0.8', aim: '1.2', seen }]
}

export const measureHot: Measure = async (fixture, plan) => {
  const { service, driver } = await runInTurns(plan, {
    service: runner(fixture, 'service', { kind: 'write', connections: 32, customers: 1 }),
    driver: (durationMs) => fixture.driver.ask('updateHotRow', { customers: 1, durationMs }),
  })
  const seen = `${times(medianRatio(service, driver))} (${thousands(median(service))})`
  return [
    { measure: 'writes to one hot customer ÷ driver updates of a hot row', must: '1.2 ×', aim: '2 ×', seen },
  ]
}
