// Lets requests in: finds their key, counts them in its window and tells what is current, one statement for many.
import type { Environment } from '../../domain/environment.ts'
import {
  decideRate,
  type RateDecision,
  type RateLimits,
  rateWindowMs,
  type WindowCount,
} from '../../domain/rate-limit.ts'
import { plainArray } from '../array-literal.ts'
import { coalesce } from '../coalesce.ts'
import type { CustomerStates } from '../ledger/held-states.ts'
import { type StateRow, stateJson, toState } from '../ledger/load-states.ts'
import type { Lane, Statement } from '../pipelined-connection.ts'

export type Admission = {
  keyId: string
  environment: Environment
  scope: 'full' | 'read'
  /** Absent while the limiter is off. */
  rate: (RateDecision & { resetInMs: number }) | undefined
  catalogueRevision: number
  /** Business time where it is frozen, else null. */
  frozenAt: number | null
  /** Of the customer asked about, as of this statement; undefined when there is none. */
  customerRevision: number | undefined
}

/** `secretHash` is in hex; `customerUid` names the customer that the request is about. */
export type Knock = { secretHash: string; isWrite: boolean; customerUid?: string | undefined }

/** Undefined for a key that is unknown, expired or revoked. */
export type Admit = (knock: Knock) => Promise<Admission | undefined>

// Instances that share their customers share the callers too, and would send twice the statements for the same writes.
const writePatienceMs = 2

// Keys are counted in the order of their ids, so that instances never wait for one another in a circle. The window is
// the database's, so all instances agree; a row that another statement moved to the next window is counted there.
// The customers' revisions come with it, as rows without a key: a statement of their own cost a tenth of a read. One whose
// revision is not the one held in memory comes with its state, at its environment's time.
const admit = (tell: string) => `
with asked as (
  select k.key_id, k.environment, k.scope, a.secret_hash, a.reads, a.writes,
    (extract(epoch from now()) * 1000)::bigint as at
  from (
    select unnest($1::text[]) as secret_hash, unnest($2::int[]) as reads, unnest($3::int[]) as writes
  ) a
  cross join lateral (select * from api_key where secret_hash = decode(a.secret_hash, 'hex') offset 0) k
  where k.revoked_at is null
    and (k.expires_at is null or k.expires_at > (extract(epoch from now()) * 1000)::bigint)
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
select asked.secret_hash, asked.key_id, asked.environment, asked.scope, e.catalogue_revision, e.frozen_at,
  counted.reads, counted.writes, counted.window_at + ${rateWindowMs} - asked.at, null::json
from asked
join counted on counted.key_id = asked.key_id
join environment e on e.environment = asked.environment
union all
select c.customer_uid::text, null, null, null, c.revision, null, null, null, null,
  ${tell}
where c.customer_uid = any($4::uuid[])`

const statement: Statement = { name: 'admit', text: admit('null from customer c') }

// Being able to tell states costs every statement a little, so it is asked to only where one is likely to be wanted.
const tellingStatement: Statement = {
  name: 'admit-and-tell',
  text: admit(`case when c.revision <> ($5::bigint[])[array_position($4::uuid[], c.customer_uid)]
    then ${stateJson('t.now')} end
from customer c
cross join lateral (
  select coalesce(frozen_at, $6::bigint) as now from environment where environment = c.environment offset 0
) t`),
}

type KeyRow = [string, string, Environment, 'full' | 'read', number, number | null, number, number, number]
type RevisionRow = [
  customerUid: string,
  null,
  null,
  null,
  revision: number,
  null,
  null,
  null,
  null,
  StateRow | null,
]

export function createAdmission(lane: Lane, states: CustomerStates, limits: RateLimits): Admit {
  async function run(knocks: Knock[]): Promise<(Admission | undefined)[]> {
    const groups = Map.groupBy(knocks, (knock) => knock.secretHash)
    const keys: KeyRow[] = []
    const customers: RevisionRow[] = []
    for (const row of await ask(lane, states, groups, knocks)) {
      if (row[1] === null) customers.push(row)
      else keys.push(row)
    }
    const revisions = new Map(customers.map((row) => [row[0], row[4]]))
    const admissions = new Map<Knock, Admission>()
    for (const row of keys) admitGroup(row, groups.get(row[0]) ?? [], limits, revisions, admissions)
    // Nobody without a key changes what is held.
    const asked = new Set(admissions.keys().map((knock) => knock.customerUid))
    for (const [uid, , , , , , , , , state] of customers)
      if (state && asked.has(uid)) states.keep(uid, toState(state))
    return knocks.map((knock) => admissions.get(knock))
  }
  const gather = (inFlight: number, patienceMs: () => number) =>
    coalesce<Knock, Admission | undefined>({ run, maxBatch: 256, maxQueue: 10_000, inFlight, patienceMs })
  const reads = gather(2, () => 0)
  // Writes go on to the ledger, which is busy meanwhile: fewer and larger statements serve them better, by a tenth.
  const writes = gather(1, () => (states.hasCompany() ? writePatienceMs : 0))
  return (knock) => (knock.isWrite ? writes(knock) : reads(knock))
}

function ask(
  lane: Lane,
  states: CustomerStates,
  groups: Map<string, Knock[]>,
  knocks: Knock[],
): Promise<(KeyRow | RevisionRow)[]> {
  const reads: number[] = []
  const writes: number[] = []
  for (const group of groups.values()) {
    const writing = countWrites(group)
    writes.push(writing)
    reads.push(group.length - writing)
  }
  const revisions = new Map<string, number>()
  const hasCompany = states.hasCompany()
  for (const { customerUid: uid, isWrite } of knocks) {
    if (uid === undefined) continue
    const revision = states.find(uid)?.revision ?? 0
    // A write is decided on what is held and confirmed as it is written: that is right nearly always, when alone.
    if (!isWrite || revision === 0 || hasCompany) revisions.set(uid, revision)
  }
  const values = [
    plainArray([...groups.keys()]),
    plainArray(reads),
    plainArray(writes),
    plainArray([...revisions.keys()]),
  ]
  const tells = hasCompany || revisions.values().some((revision) => revision === 0)
  return tells
    ? lane.query(tellingStatement, [...values, plainArray([...revisions.values()]), Date.now()])
    : lane.query(statement, values)
}

const countWrites = (group: Knock[]): number => group.reduce((sum, knock) => sum + (knock.isWrite ? 1 : 0), 0)

/** The count a statement returns includes its own requests: they are replayed in their order from the count before. */
function admitGroup(
  row: KeyRow,
  group: Knock[],
  limits: RateLimits,
  revisions: Map<string, number>,
  admissions: Map<Knock, Admission>,
): void {
  const [, keyId, environment, scope, catalogueRevision, frozenAt, reads, writes, resetInMs] = row
  const writing = countWrites(group)
  const count: WindowCount = { reads: reads - (group.length - writing), writes: writes - writing }
  for (const knock of group) {
    const rate = limits.all === 0 ? undefined : { ...decideRate(count, knock.isWrite, limits), resetInMs }
    if (knock.isWrite) count.writes++
    else count.reads++
    const customerRevision = knock.customerUid === undefined ? undefined : revisions.get(knock.customerUid)
    admissions.set(knock, { keyId, environment, scope, rate, catalogueRevision, frozenAt, customerRevision })
  }
}
