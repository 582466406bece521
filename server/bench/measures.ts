// The measures: each compares the service with its baselines in interleaved rounds and tells rows for the table.
import { type Costs, readCosts, subtractCosts } from './costs.ts'
import { batchSize, type Kind } from './requests.ts'
import { median, medianRatio, type Plan, type Runner, runInTurns } from './rounds.ts'
import type { RunAsk, Stage, Target } from './stage.ts'

export type Row = { measure: string; must: string; aim: string; seen: string }
export type Measure = (stage: Stage, plan: Plan) => Promise<Row[]>

const ratio = (value: number) => value.toFixed(2)
const times = (value: number) => `${value.toFixed(1)} ×`
const thousands = (value: number) => `${(value / 1000).toFixed(1)}k/s`

const runner =
  (stage: Stage, target: Target, ask: Omit<RunAsk, 'durationMs'>): Runner =>
  async (durationMs) =>
    (await stage.run(target, { ...ask, durationMs })).perSecond

/** From here on the bare baseline's answers are as long as the service's, heads included. */
async function matchBytes({ bare, run }: Stage, kind: Kind): Promise<void> {
  const ask = { kind, connections: 4, durationMs: 200 }
  await bare.ask('answerWith', 1000)
  const own = (await run('bare', ask)).bytesPerAnswer
  const ours = (await run('service', ask)).bytesPerAnswer
  await bare.ask('answerWith', Math.round(1000 + ours - own))
}

type Observed = { runner: Runner; total: () => Costs & { requests: number; statements: number } }

/** A runner on the service that also adds up what its counted runs cost. */
function observe(stage: Stage, kind: Kind, connections: number, warmMs: number): Observed {
  const total = { serviceMs: 0, databaseMs: 0, walBytes: 0, bufferHits: 0, requests: 0, statements: 0 }
  let runs = 0
  const runOnce: Runner = async (durationMs) => {
    const look = async () => ({
      costs: await readCosts(stage.client, [stage.service.pid]),
      statements: Number(await stage.service.ask('statements')),
    })
    const before = await look()
    const { requests, perSecond } = await stage.run('service', { kind, connections, durationMs })
    const after = await look()
    if (runs++ === 0 && warmMs > 0) return perSecond
    const costs = subtractCosts(after.costs, before.costs)
    total.serviceMs += costs.serviceMs
    total.databaseMs += costs.databaseMs
    total.walBytes += costs.walBytes
    total.bufferHits += costs.bufferHits
    total.requests += requests
    total.statements += after.statements - before.statements
    return perSecond
  }
  return { runner: runOnce, total: () => total }
}

function costRows(what: string, observed: Observed, must: string, aim: string, perEvent: number): Row[] {
  const { serviceMs, databaseMs, walBytes, bufferHits, requests, statements } = observed.total()
  const micros = (ms: number) => Math.round((ms * 1000) / requests)
  const events = requests * perEvent
  return [
    {
      measure: `CPU per ${what}, service + database, µs`,
      must,
      aim,
      seen: `${micros(serviceMs)} + ${micros(databaseMs)}`,
    },
    { measure: `statements per ${what}`, must: '', aim: '', seen: (statements / requests).toFixed(2) },
    { measure: `buffer hits per ${what}`, must: '', aim: '', seen: (bufferHits / requests).toFixed(1) },
    ...(what === 'read'
      ? []
      : [
          {
            measure: `WAL bytes per event (${what})`,
            must: '',
            aim: '',
            seen: (walBytes / events).toFixed(0),
          },
        ]),
  ]
}

export const measureReads: Measure = async (stage, plan) => {
  await matchBytes(stage, 'read')
  const ask = { kind: 'read' as const, connections: 32 }
  const observed = observe(stage, 'read', 32, plan.warmMs)
  const { bare, plain, service } = await runInTurns(plan, {
    bare: runner(stage, 'bare', ask),
    plain: runner(stage, 'plain', ask),
    service: observed.runner,
  })
  const absolute = `(${thousands(median(service))})`
  return [
    {
      measure: 'reads ÷ bare',
      must: '0.35',
      aim: '0.5',
      seen: `${ratio(medianRatio(service, bare))} ${absolute}`,
    },
    { measure: 'reads ÷ plain', must: '3 ×', aim: '5 ×', seen: times(medianRatio(service, plain)) },
    ...costRows('read', observed, '40 + 30', '38 + 23', 1),
  ]
}

export const measureWrites: Measure = async (stage, plan) => {
  await matchBytes(stage, 'write')
  const ask = { kind: 'write' as const, connections: 32 }
  const observed = observe(stage, 'write', 32, plan.warmMs)
  const { bare, plain, service } = await runInTurns(plan, {
    bare: runner(stage, 'bare', ask),
    plain: runner(stage, 'plain', ask),
    service: observed.runner,
  })
  const absolute = `(${thousands(median(service))})`
  return [
    {
      measure: 'writes ÷ bare',
      must: '0.14',
      aim: '0.25',
      seen: `${ratio(medianRatio(service, bare))} ${absolute}`,
    },
    { measure: 'writes ÷ plain', must: '2.5 ×', aim: '3.5 ×', seen: times(medianRatio(service, plain)) },
    ...costRows('write', observed, '80 + 100', '70 + 75', 1),
  ]
}

export const measureBatches: Measure = async (stage, plan) => {
  const observed = observe(stage, 'batch', 8, plan.warmMs)
  const { service, driver } = await runInTurns(plan, {
    service: observed.runner,
    driver: (durationMs) =>
      stage.driver.ask('recordEvents', { customers: stage.subjects.customers, durationMs }),
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
    ...costRows('batch', observed, '', '', batchSize),
  ]
}

export const measureAlone: Measure = async (stage, plan) => {
  const latency =
    (target: Target, kind: Kind): Runner =>
    async (durationMs) =>
      (await stage.run(target, { kind, connections: 1, durationMs })).p50Ms
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

export const measurePair: Measure = async (stage, plan) => {
  const ask = { kind: 'write' as const, connections: 32 }
  const { one, two } = await runInTurns(plan, {
    one: runner(stage, 'service', ask),
    two: runner(stage, 'pair', ask),
  })
  const seen = `${ratio(medianRatio(two, one))} (${thousands(median(two))})`
  return [{ measure: 'writes of two instances ÷ one, shared customers', must: '0.8', aim: '1.2', seen }]
}

export const measureHot: Measure = async (stage, plan) => {
  const { service, driver } = await runInTurns(plan, {
    service: runner(stage, 'service', { kind: 'write', connections: 32, customers: 1 }),
    driver: (durationMs) => stage.driver.ask('updateHotRow', { customers: 1, durationMs }),
  })
  const seen = `${times(medianRatio(service, driver))} (${thousands(median(service))})`
  return [
    { measure: 'writes to one hot customer ÷ driver updates of a hot row', must: '1.2 ×', aim: '2 ×', seen },
  ]
}
