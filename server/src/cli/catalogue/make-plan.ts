// Makes the plan of a command line: the file beside the running service, and who holds what would change.
import type { Tollkeeper } from '@tollkeeper/sdk/src/sdk.ts'
import { openRemote, type Variables } from '../remote.ts'
import { readWords, remoteOptions } from '../words.ts'
import { type Action, compare } from './compare.ts'
import { readDefinition } from './definition.ts'
import type { Planned } from './describe.ts'
import { readRunning } from './running.ts'

const planOptions = {
  ...remoteOptions,
  prune: { type: 'boolean', default: false },
  'new-versions': { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  'exit-code': { type: 'boolean', default: false },
  yes: { type: 'boolean', default: false },
} as const

type PlanValues = ReturnType<typeof readPlanWords>['values']

const readPlanWords = (words: string[]) => readWords(words, planOptions, 1)

export async function makePlan(
  variables: Variables,
  words: string[],
): Promise<{ plan: Planned[]; values: PlanValues; remote: Tollkeeper }> {
  const { values, positionals } = readPlanWords(words)
  const remote = openRemote(variables, values.url)
  const definition = await readDefinition(positionals[0])
  const running = await readRunning(remote)
  const actions = compare(definition, running, { prune: values.prune, newVersions: values['new-versions'] })
  const plan: Planned[] = []
  for (const action of actions) plan.push({ ...action, customers: await describeHolders(remote, action) })
  return { plan, values, remote }
}

const countAtMost = 1000

/** Those who would follow: holders of the version that is changed in place. */
async function describeHolders(remote: Tollkeeper, action: Action): Promise<string | undefined> {
  if (action.noun !== 'product' || action.kind !== 'change' || action.isNewVersion) return undefined
  let [seen, holders] = [0, 0]
  for await (const customer of remote.customers.list({ productKey: action.key })) {
    if (seen++ === countAtMost) return `more than ${holders} customers`
    if (customer.products.some(({ key, version }) => key === action.key && version === action.version))
      holders++
  }
  return holders === 1 ? '1 customer' : `${holders} customers`
}
