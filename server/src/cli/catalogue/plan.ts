// tollkeeper plan: shows what push would do, and does nothing.
import type { Variables } from '../remote.ts'
import { takesAway } from './compare.ts'
import { describePlan } from './describe.ts'
import { makePlan } from './make-plan.ts'

// Neither done nor failed nor misused: differences, when they were asked about.
const differsCode = 3

export async function planCommand(variables: Variables, words: string[]): Promise<void> {
  const { plan, values } = await makePlan(variables, words)
  if (values.json) {
    const actions = plan.map((action) => ({ ...action, takesAway: takesAway(action) }))
    process.stdout.write(`${JSON.stringify({ actions })}\n`)
  } else
    process.stdout.write(`${plan.length === 0 ? 'The catalogue is as the file says.' : describePlan(plan)}\n`)
  if (plan.length > 0 && values['exit-code']) process.exitCode = differsCode
}
