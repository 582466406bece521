// Sets the usage of the current period to an absolute value; exactly once per event key.
import { amountFromNumber } from '../../domain/amount.ts'
import { setTask } from '../../domain/ledger/set.ts'
import type { Context } from '../context.ts'
import type { Services } from '../services.ts'
import { type KeyedInput, type Recorded, toEventInput, toOrigin, toRecorded } from './record-usage.ts'

export type SetInput = KeyedInput & { used: number }

export async function setUsage(
  { writeLedger }: Services,
  context: Context,
  input: SetInput,
): Promise<Recorded> {
  const task = setTask(toOrigin(context, input.customerId), {
    ...toEventInput(input),
    used: amountFromNumber(input.used),
  })
  return toRecorded(await writeLedger(task))
}
