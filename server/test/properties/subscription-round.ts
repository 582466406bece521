// A round in which, beside the other callers, customers change their subscriptions at the provider or the clock moves them on.
import type { AnsweredCall } from './call-operations.ts'
import type { Chance } from './chance.ts'
import { runRound, type Sender } from './concurrent-round.ts'
import type { Cast } from './concurrent-steps.ts'
import type { Instant, Step } from './model-steps.ts'
import type { Caller } from './round-plan.ts'
import type { SubscriptionCalls } from './subscription-calls.ts'

type Round = {
  sender: Sender
  chance: Chance
  cast: Cast
  subscriptions: SubscriptionCalls
  callers: Caller[]
}

const hourMs = 3_600_000
const changersEach = 3

/** Never both at once: a subscription that is changed while the clock moves it has no one state in between. */
export async function runSubscriptionRound(round: Round): Promise<AnsweredCall[]> {
  const { sender, chance, cast, subscriptions, callers } = round
  const customerIds = cast.customerIds.slice(0, changersEach)
  if (chance.is(0.45)) {
    const others = runRound(sender, chance, callers.slice(1))
    return [...(await moveClock(round)), ...(await others)]
  }
  // Which of them it is, is drawn before anyone is under way.
  const changers = customerIds.map(async (customerId) => {
    const changes = [await subscriptions.change(chance, customerId)]
    if (chance.is(0.5)) changes.push(await subscriptions.change(chance, customerId))
    return changes.filter((each) => each !== undefined)
  })
  const others = runRound(sender, chance, callers.slice(changersEach))
  return [...(await Promise.all(changers)).flat(), ...(await others)]
}

async function moveClock({ sender, chance, cast, subscriptions }: Round): Promise<AnsweredCall[]> {
  const steps = [hourMs, 12 * hourMs, 24 * hourMs, 24 * hourMs, -hourMs]
  const plus = chance.is(0.2) && subscriptions.areAllSettled() ? 31 * 24 * hourMs : chance.pick(steps)
  const to: Instant = { from: 'now', plus }
  const customerId = cast.customerIds[0] as string
  const step: Step = { do: 'clock', customerId, featureKey: 'calls', to }
  const moved = await sender.take(step, customerId, 'clock', chance.upTo(2))
  if (moved === undefined) return []
  const followed = await Promise.all(
    cast.customerIds.map((each) => subscriptions.followClock(each, moved.startAt)),
  )
  return [moved, ...followed.filter((each) => each !== undefined)]
}
