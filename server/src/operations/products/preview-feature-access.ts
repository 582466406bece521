// Who would be over a limit if a product's feature access were configured otherwise: computed for every holder, or estimated from
// the statistics where there are very many.
import type { FeatureAccess } from '../../domain/access/feature-access.ts'
import { type Amount, amountToNumber } from '../../domain/amount.ts'
import {
  type Catalogue,
  type FeatureAccessEntry,
  latestVersion,
  type Product,
} from '../../domain/catalogue/catalogue.ts'
import { withEntries } from '../../domain/catalogue/changed-catalogue.ts'
import { decideEntries, type FeatureAccessItem } from '../../domain/catalogue/product.ts'
import { invalid } from '../../domain/errors.ts'
import {
  countHoldersOf,
  type LimitShift,
  listHoldersAfter,
  listOverAfter,
} from '../../storage/statistics/held-limits.ts'
import type { Context } from '../context.ts'
import type { CustomerView } from '../customers/read-customer.ts'
import type { Services } from '../services.ts'
import { completeViews, loadViews } from '../statistics/complete-states.ts'
import { getEditableProduct } from './update-product.ts'

export type OverLimit = {
  customerId: string
  name: string | undefined
  featureKey: string
  used: number
  /** Null is unlimited. */
  before: number | null
  after: number | null
}

export type FeatureAccessPreview = {
  holders: number
  affected: number
  overLimit: OverLimit[]
  overLimitCount: number
  isExact: boolean
}

const shownAtMost = 100
const computedAtMost = 2_000
const atOnce = 200

export async function previewFeatureAccess(
  services: Services,
  context: Context,
  productKey: string,
  input: { featureAccess: FeatureAccessItem[]; version?: number | undefined },
): Promise<FeatureAccessPreview> {
  const { catalogue } = context
  const product = getEditableProduct(catalogue, productKey)
  const latest = latestVersion(product)
  const version = input.version === undefined ? latest : product.versions[input.version - 1]
  if (!version) throw invalid(`version must be from 1 to ${latest.version}.`)
  const entries = decideEntries(catalogue, input.featureAccess, version)
  const held = { productNo: product.productNo, version: version.version }
  const holders = await countHoldersOf(services.database.pool, held)
  if (holders > computedAtMost) {
    const shifts = listShifts(catalogue, version.entries, entries)
    return estimate(services, catalogue, held, holders, shifts)
  }
  return compute(services, held, holders, (current) =>
    withEntries(current, product, version.version, entries),
  )
}

type Held = { productNo: Product['productNo']; version: number }

async function compute(
  services: Services,
  held: Held,
  holders: number,
  change: (catalogue: Catalogue) => Catalogue,
): Promise<FeatureAccessPreview> {
  const { pool } = services.database
  const over: OverLimit[] = []
  const changed = new Map<Catalogue, Catalogue>()
  let affected = 0
  for (let after: string | undefined, more = true; more; ) {
    const uids = await listHoldersAfter(pool, held, after, atOnce)
    more = uids.length === atOnce
    after = uids.at(-1)
    const before = await loadViews(services, uids)
    for (const { catalogue } of before.values())
      if (!changed.has(catalogue)) changed.set(catalogue, change(catalogue))
    const snapshots = [...before.values()].map(({ state, catalogue, now }) => ({
      state,
      now,
      catalogue: changed.get(catalogue) as Catalogue,
    }))
    const then = await completeViews(pool, snapshots)
    for (const [uid, view] of before) {
      const differences = compareViews(view, then.get(uid))
      if (differences.length > 0) affected++
      over.push(...differences.flatMap((each) => each.over ?? []))
    }
  }
  return {
    holders,
    affected,
    overLimit: over.slice(0, shownAtMost),
    overLimitCount: over.length,
    isExact: true,
  }
}

type Difference = { over: OverLimit | undefined }

/** Features of which the customer would have more or less than now. */
function compareViews(view: CustomerView, after: CustomerView | undefined): Difference[] {
  const { customerId, name } = view.state.customer
  return view.access.flatMap((now) => {
    const { featureKey } = now.feature
    const then = after?.access.find((each) => each.feature.featureKey === featureKey)
    const [before, later] = [allowanceOf(now), allowanceOf(then)]
    if (before === later && now.allowance.hasAccess === then?.allowance.hasAccess) return []
    const used = then?.usage?.used ?? now.usage?.used ?? 0n
    const isLess = later !== undefined && (before === undefined || later < before)
    const over = {
      customerId,
      name,
      featureKey,
      used: amountToNumber(used),
      before: before === undefined ? null : amountToNumber(before),
      after: later === undefined ? null : amountToNumber(later),
    }
    return [{ over: isLess && used > later ? over : undefined }]
  })
}

/** With bonuses; undefined when unlimited. */
function allowanceOf(access: FeatureAccess | undefined): Amount | undefined {
  if (!access?.allowance.hasAccess) return 0n
  const { isUnlimited, limit } = access.allowance
  const { bonusUsed = 0n, bonusRemaining = 0n } = access.usage ?? {}
  return isUnlimited ? undefined : limit + bonusUsed + bonusRemaining
}

function listShifts(
  catalogue: Catalogue,
  before: readonly FeatureAccessEntry[],
  after: readonly FeatureAccessEntry[],
): LimitShift[] {
  const limitOf = (entries: readonly FeatureAccessEntry[], featureKey: string): number | null => {
    const entry = entries.find((each) => each.featureKey === featureKey && each.hasAccess)
    return entry?.isUnlimited ? null : amountToNumber(entry?.limit ?? 0n)
  }
  return [...catalogue.features.values()].flatMap(({ featureKey, featureNo, tracksUsage }) => {
    const [was, willBe] = [limitOf(before, featureKey), limitOf(after, featureKey)]
    return tracksUsage && was !== willBe ? [{ featureNo, before: was, after: willBe }] : []
  })
}

async function estimate(
  { database }: Services,
  { featuresByNo }: Catalogue,
  held: Held,
  holders: number,
  shifts: readonly LimitShift[],
): Promise<FeatureAccessPreview> {
  const { rows, count } = await listOverAfter(database.pool, held, shifts, shownAtMost)
  return {
    holders,
    affected: shifts.length > 0 ? holders : 0,
    overLimit: rows.map(({ featureNo, ...row }) => ({
      ...row,
      featureKey: featuresByNo.get(featureNo)?.featureKey ?? String(featureNo),
    })),
    overLimitCount: count,
    isExact: false,
  }
}
