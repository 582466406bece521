// Interleaved rounds: what is compared runs in turns, short and often, and the median of the ratios is what counts,
// because the machine's own pace wanders more than what is measured.

export type Plan = { rounds: number; durationMs: number; warmMs: number }

export const usualPlan: Plan = { rounds: 7, durationMs: 2_000, warmMs: 6_000 }
export const quickPlan: Plan = { rounds: 3, durationMs: 1_000, warmMs: 4_000 }

export type Runner = (durationMs: number) => Promise<number>

/** Every runner once a round, each round beginning with another one; the values of each runner in the order of rounds. */
export async function runInTurns<Name extends string>(
  plan: Plan,
  runners: Record<Name, Runner>,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(runners) as Name[]
  const values = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, number[]>
  // The engines compile, the plans are made and the states are loaded before anything counts.
  for (const name of names) await runners[name](plan.warmMs)
  for (let round = 0; round < plan.rounds; round++) {
    for (let place = 0; place < names.length; place++) {
      const name = names[(round + place) % names.length] as Name
      values[name].push(await runners[name](plan.durationMs))
    }
  }
  return values
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  const upper = sorted[middle] as number
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] as number)) / 2
}

export const medianRatio = (dividends: readonly number[], divisors: readonly number[]): number =>
  median(dividends.map((value, index) => value / (divisors[index] as number)))
