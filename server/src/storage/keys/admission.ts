// Admits requests: finds their key, counts them in its window and tells what is current, one statement for many.
import type { Environment } from '../../domain/environment.ts'
import type { Scope } from '../../domain/principal.ts'
import {
  decideRate,
  type RateDecision,
  type RateLimits,
  rateWindowMs,
  type WindowCount,
} from '../../domain/rate-limit.ts'
import type { QueueMeter } from '../../telemetry/telemetry.ts'
import { plainArray } from '../array-literal.ts'
import { coalesce } from '../coalesce.ts'
import type { HeldStates } from '../ledger/held-states.ts'
import { type StateRow, stateEnvironment, stateJson, toState } from '../ledger/load-states.ts'
import type { PipelinedConnection, Statement } from '../pipelined-connection.ts'

export type Admission = {
  keyId: string
  environment: Environment
  scope: Scope
  /** Absent while the limiter is off. */
  rate: (RateDecision & { resetInMs: number }) | undefined
  catalogueRevision: number
  /** Business time, by the database's clock where it is not frozen. */
  now: number
  /** Of the customer asked about, as of this statement; undefined when there is none. */
  customer: { customerUid: string; revision: number } | undefined
}

/** `secretHash` is in hex; `customerHash` names the customer that the request is about. */
export type AdmissionRequest = { secretHash: string; isWrite: boolean; customerHash?: string | undefined }

/** Undefined for a key that is unknown, expired or revoked. */
export type Admit = (request: AdmissionRequest) => Promise<Admission | undefined>

// Instances that share their customers share the callers too, and would send twice the statements for the same writes.
const writePatienceMs = 2

// Keys are counted in the order of their ids, so that instances never wait for one another in a circle. The window is
// the database's, so all instances agree; a row that another statement moved to the next window is counted there.
// The customers' revisions come with it, as rows without a key: a statement of their own cost a tenth of a read. One whose
// revision is not the one held in memory comes with its state.
const admit = (tell: string) => `
with asked as (
  select k.key_id, k.environment, k.scope, a.secret_hash, a.reads, a.writes, clock_ms() as at
  from (
    select unnest($1::text[]) as secret_hash, unnest($2::int[]) as reads, unnest($3::int[]) as writes
  ) a
  cross join lateral (select * from api_key where secret_hash = decode(a.secret_hash, 'hex') offset 0) k
  where k.revoked_at is null and (k.expires_at is null or k.expires_at > clock_ms())
),
counted as (
  insert into rate_window as w (key_id, window_at, reads, writes)
  select key_id, at - at % ${rateWindowMs}, reads, writes
  from asked
  order by key_id
  on conflict (key_id) do update set
    window_at = greatest(w.window_at, excluded.window_at),
    reads = case when excluded.window_at > w.window_at then 0 else w.reads end + excluded.reads,
    writes = case when excluded.window_at > w.window_at then 0 else w.writes end + excluded.writes
  returning key_id, window_at, reads, writes
)
select asked.secret_hash, asked.key_id, asked.environment, asked.scope, e.catalogue_revision,
  coalesce(e.frozen_at, asked.at), counted.reads, counted.writes, counted.window_at + ${rateWindowMs} - asked.at,
  null::json
from asked
join counted on counted.key_id = asked.key_id
join environment e on e.environment = asked.environment
union all
select c.customer_hash::text, c.customer_uid, null, null, c.revision, null, null, null, null,
  ${tell}
where c.customer_hash = any($4::uuid[])`

const statement: Statement = { name: 'admit', text: admit('null from customer c') }

// Being able to tell states costs every statement a little, so it is asked to only where one is likely to be wanted.
const tellingStatement: Statement = {
  name: 'admit-and-tell',
  text: admit(`case when c.revision <> ($5::bigint[])[array_position($4::uuid[], c.customer_hash)]
    then ${stateJson} end
from customer c ${stateEnvironment}`),
}

type KeyRow = [
  secretHash: string,
  keyId: string,
  environment: Environment,
  scope: Scope,
  catalogueRevision: number,
  now: number,
  reads: number,
  writes: number,
  resetInMs: number,
  null,
]
type CustomerRow = [
  customerHash: string,
  customerUid: string,
  null,
  null,
  revision: number,
  null,
  null,
  null,
  null,
  state: StateRow | null,
]

const isOfKey = (row: KeyRow | CustomerRow): row is KeyRow => row[2] !== null

export function createAdmission(
  connection: PipelinedConnection,
  states: HeldStates,
  limits: RateLimits,
  meters?: { admit_read: QueueMeter; admit_write: QueueMeter },
): Admit {
  async function run(requests: AdmissionRequest[]): Promise<(Admission | undefined)[]> {
    const groups = Map.groupBy(requests, (request) => request.secretHash)
    const rows = await ask(connection, states, groups, requests)
    const customers = new Map<string, Admission['customer']>()
    for (const row of rows) {
      if (isOfKey(row)) continue
      const [customerHash, customerUid, , , revision] = row
      customers.set(customerHash, { customerUid, revision })
    }
    const admissions = new Map<AdmissionRequest, Admission>()
    for (const row of rows)
      if (isOfKey(row)) admitGroup(row, groups.get(row[0]) ?? [], limits, customers, admissions)
    keepStates(states, rows, admissions)
    return requests.map((request) => admissions.get(request))
  }
  const gather = (inFlight: number, patienceMs: () => number, meter: QueueMeter | undefined) =>
    coalesce<AdmissionRequest, Admission | undefined>({
      run,
      maxBatch: 256,
      maxQueue: 10_000,
      inFlight,
      patienceMs,
      meter,
    })
  const reads = gather(2, () => 0, meters?.admit_read)
  // Writes go on to the ledger, which is busy meanwhile: fewer and larger statements serve them better, by a tenth.
  const writes = gather(1, () => (states.sharesCustomers() ? writePatienceMs : 0), meters?.admit_write)
  return (request) => (request.isWrite ? writes(request) : reads(request))
}

/** Nobody without a key changes what is held. */
function keepStates(
  states: HeldStates,
  rows: readonly (KeyRow | CustomerRow)[],
  admissions: ReadonlyMap<AdmissionRequest, Admission>,
): void {
  const told = rows.flatMap((row) =>
    isOfKey(row) || row[9] === null ? [] : [{ hash: row[0], state: row[9] }],
  )
  if (told.length === 0) return
  const asked = new Set(admissions.keys().map((request) => request.customerHash))
  for (const { hash, state } of told) if (asked.has(hash)) states.keep(toState(state))
}

function ask(
  connection: PipelinedConnection,
  states: HeldStates,
  groups: Map<string, AdmissionRequest[]>,
  requests: AdmissionRequest[],
): Promise<(KeyRow | CustomerRow)[]> {
  const reads: number[] = []
  const writes: number[] = []
  for (const group of groups.values()) {
    const writing = countWrites(group)
    writes.push(writing)
    reads.push(group.length - writing)
  }
  const revisions = new Map<string, number>()
  const isSharing = states.sharesCustomers()
  for (const { customerHash: hash, isWrite } of requests) {
    if (hash === undefined) continue
    const revision = states.find(hash)?.revision ?? 0
    // A write is decided on what is held and confirmed as it is written: that is right nearly always, when alone.
    if (!isWrite || revision === 0 || isSharing) revisions.set(hash, revision)
  }
  const values = [
    plainArray([...groups.keys()]),
    plainArray(reads),
    plainArray(writes),
    plainArray([...revisions.keys()]),
  ]
  const tells = isSharing || revisions.values().some((revision) => revision === 0)
  return tells
    ? connection.query(tellingStatement, [...values, plainArray([...revisions.values()])])
    : connection.query(statement, values)
}

const countWrites = (group: AdmissionRequest[]): number =>
  group.reduce((sum, request) => sum + (request.isWrite ? 1 : 0), 0)

/** The count a statement returns includes its own requests: they are replayed in their order from the count before. */
function admitGroup(
  row: KeyRow,
  group: AdmissionRequest[],
  limits: RateLimits,
  customers: ReadonlyMap<string, Admission['customer']>,
  admissions: Map<AdmissionRequest, Admission>,
): void {
  const [, keyId, environment, scope, catalogueRevision, now, reads, writes, resetInMs] = row
  const writing = countWrites(group)
  const count: WindowCount = { reads: reads - (group.length - writing), writes: writes - writing }
  for (const request of group) {
    const rate = limits.all === 0 ? undefined : { ...decideRate(count, request.isWrite, limits), resetInMs }
    if (request.isWrite) count.writes++
    else count.reads++
    const customer = request.customerHash === undefined ? undefined : customers.get(request.customerHash)
    admissions.set(request, { keyId, environment, scope, rate, catalogueRevision, now, customer })
  }
}
