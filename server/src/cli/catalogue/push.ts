// tollkeeper push: makes the running catalogue as the file says; what takes something away is asked for first.
import { createInterface } from 'node:readline/promises'
import { CommandError } from '../command-error.ts'
import type { Variables } from '../remote.ts'
import { apply } from './apply.ts'
import { takesAway } from './compare.ts'
import { describePlan } from './describe.ts'
import { makePlan } from './make-plan.ts'

export async function pushCommand(variables: Variables, words: string[]): Promise<void> {
  const { plan, values, remote } = await makePlan(variables, words)
  const say = (text: string) => process.stdout.write(`${text}\n`)
  if (plan.length === 0) {
    say(values.json ? JSON.stringify({ actions: [] }) : 'Nothing to do: the catalogue is as the file says.')
    return
  }
  if (!values.json) say(describePlan(plan))
  if (plan.some(takesAway) && !values.yes) await ask()
  for (const action of plan) await apply(remote, action)
  say(values.json ? JSON.stringify({ actions: plan }) : 'Done.')
}

async function ask(): Promise<void> {
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new CommandError(
      'Nothing was done: lines marked ! take something away from customers. Run it again with --yes if that is meant.',
    )
  const asked = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await asked.question('Lines marked ! take something away. Go on? (yes/no) ')
  asked.close()
  if (answer.trim().toLowerCase() !== 'yes') throw new CommandError('Nothing was done.')
}
