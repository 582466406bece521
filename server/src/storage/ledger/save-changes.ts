// Writing changes of ledgers: one statement for many customers, which confirms what they were decided on, locks the customers
// and writes. It is the only way a ledger is written, also under locks, where the confirmation always holds.
import { amountToText } from '../../domain/amount.ts'
import type { Moment } from '../../domain/ledger/account.ts'
import { isEmpty, type LedgerChange } from '../../domain/ledger/change.ts'
import type { Counter } from '../../domain/ledger/state.ts'
import { plainArray, textArray } from '../array-literal.ts'
import type { Statement } from '../pipelined-connection.ts'
import { toEventArrays } from './events.ts'
import { getSaveStatement } from './save-statement.ts'

/** `written` holds the uids of those whose decision was confirmed; of those in `taken` an event key was not free. */
export type Saved = { written: Set<string>; taken: Set<string> }

export type RunStatement = (
  statement: Statement,
  values: string[],
) => Promise<[uid: string, isTaken: boolean][]>

/** The changes must be of the moments' environments; they are sorted here, so that customers are locked in order. */
export async function saveChanges(
  run: RunStatement,
  moments: readonly Moment[],
  changes: readonly LedgerChange[],
): Promise<Saved> {
  const sorted = changes.toSorted((a, b) => (a.customerUid < b.customerUid ? -1 : 1))
  const refusals = sorted.some((change) => isEmpty(change) || change.freeKeys.length > 0)
  const draws = sorted.some(
    ({ drawn, drawnBonuses, counters, returned }) =>
      drawn.length > 0 || drawnBonuses.length > 0 || returned.length > 0 || counters.some(hasDraws),
  )
  const rows = await run(getSaveStatement({ refusals, draws }), [
    ...toValues(moments, sorted),
    ...(refusals ? toRefusalValues(sorted) : []),
    ...(draws ? toDrawValues(sorted) : []),
  ])
  const saved: Saved = { written: new Set(), taken: new Set() }
  for (const [uid, isTaken] of rows) (isTaken ? saved.taken : saved.written).add(uid)
  return saved
}

const hasDraws = ({ draws }: Counter): boolean => draws.length > 0

type OwnedCounter = Counter & { customerUid: string }

/** Counters whose draws may have changed are written with them; all others leave what is stored of draws alone. */
function listCounters(changes: readonly LedgerChange[], withDraws: boolean): OwnedCounter[] {
  return changes.flatMap(({ customerUid, counters, returned }) =>
    counters
      .filter((counter) => (returned.length > 0 || hasDraws(counter)) === withDraws)
      .map((counter) => ({ ...counter, customerUid })),
  )
}

const toCounterValues = (counters: readonly OwnedCounter[]): string[] => [
  plainArray(counters.map((counter) => counter.customerUid)),
  plainArray(counters.map((counter) => counter.period.end)),
  plainArray(counters.map((counter) => counter.featureNo)),
  plainArray(counters.map((counter) => counter.period.start)),
  plainArray(counters.map((counter) => amountToText(counter.total))),
]

function toValues(moments: readonly Moment[], changes: readonly LedgerChange[]): string[] {
  const writing = changes.filter((change) => !isEmpty(change))
  return [
    plainArray(moments.map(({ catalogue }) => catalogue.environment)),
    plainArray(moments.map(({ catalogue }) => catalogue.revision)),
    plainArray(moments.map(({ now }) => now)),
    plainArray(writing.map((change) => change.customerUid)),
    plainArray(writing.map((change) => change.revision)),
    plainArray(writing.map((change) => change.nextRevision)),
    plainArray(writing.map((change) => change.lastEventAt)),
    textArray(writing.map(({ usedFeatures }) => usedFeatures && plainArray(usedFeatures))),
    plainArray(writing.map((change) => change.earliestAt)),
    ...toEventArrays(
      writing.flatMap(({ customerUid, insertedEvents }) =>
        insertedEvents.map((event) => ({ customerUid, event })),
      ),
    ),
    ...toCounterValues(listCounters(writing, false)),
  ]
}

function toRefusalValues(changes: readonly LedgerChange[]): string[] {
  const idle = changes.filter(isEmpty)
  const keys = changes.flatMap(({ customerUid, freeKeys }) =>
    freeKeys.map((key) => ({ customerUid, ...key })),
  )
  return [
    plainArray(idle.map((change) => change.customerUid)),
    plainArray(idle.map((change) => change.revision)),
    plainArray(keys.map((key) => key.customerUid)),
    plainArray(keys.map((key) => key.featureNo)),
    plainArray(keys.map((key) => key.keyHash)),
  ]
}

function toDrawValues(changes: readonly LedgerChange[]): string[] {
  const counters = listCounters(changes, true)
  const bonuses = changes.flatMap(({ customerUid, drawnBonuses }) =>
    drawnBonuses.map((bonus) => ({ customerUid, bonus })),
  )
  const draws = changes.flatMap(({ customerUid, drawn }) => drawn.map((draw) => ({ customerUid, ...draw })))
  return [
    ...toCounterValues(counters),
    textArray(counters.map((counter) => plainArray(counter.draws.map((draw) => draw.bonusId)))),
    textArray(counters.map((counter) => plainArray(counter.draws.map((draw) => amountToText(draw.amount))))),
    plainArray(bonuses.map((each) => each.customerUid)),
    plainArray(bonuses.map((each) => each.bonus.bonusId)),
    plainArray(bonuses.map((each) => amountToText(each.bonus.drawn))),
    plainArray(draws.map((draw) => draw.customerUid)),
    plainArray(draws.map((draw) => draw.featureNo)),
    plainArray(draws.map((draw) => draw.drawnAt)),
    plainArray(draws.map((draw) => draw.eventNo)),
    plainArray(draws.map((draw) => draw.position)),
    plainArray(draws.map((draw) => draw.bonusId)),
    plainArray(draws.map((draw) => amountToText(draw.amount))),
  ]
}
