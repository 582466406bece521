// A plan as a person reads it: a line for each thing, below it what changes, and ! where something is taken away.
import type { Action, FieldChange } from './compare.ts'
import { isProviderProduct } from './definition.ts'

export type Planned = Action & { customers?: string | undefined }

const marks = { create: '+', change: '~', archive: '-', unarchive: '~' }

export function describePlan(plan: readonly Planned[]): string {
  const count = (...kinds: Action['kind'][]) => plan.filter(({ kind }) => kinds.includes(kind)).length
  const summary = `${count('create')} to create, ${count('change', 'unarchive')} to change, ${count('archive')} to archive.`
  return [...plan.flatMap(describeAction), summary].join('\n')
}

function describeAction(action: Planned): string[] {
  const head = `${marks[action.kind]} ${action.noun} ${action.key}`
  if (action.kind === 'archive') return [`${head}: archive !`]
  if (action.kind === 'unarchive') return [`${head}: unarchive`]
  if (action.kind === 'create') return [`${head}: ${describeNew(action)}`]
  const fields = action.changes.map((change) => describeChange(change))
  if (action.noun === 'feature') return [head, ...fields]
  const held = action.customers === undefined ? '' : `, held by ${action.customers}`
  const version = action.isNewVersion
    ? `version ${action.version + 1}, new; holders keep version ${action.version}`
    : `version ${action.version}${held}`
  return [`${head} (${version})`, ...fields, ...action.access.map((change) => describeChange(change))]
}

function describeNew(action: Extract<Action, { kind: 'create' }>): string {
  if (action.noun === 'feature') return `${action.definition.type} ${JSON.stringify(action.definition.name)}`
  const { definition } = action
  const kind = isProviderProduct(definition)
    ? `linked to ${definition.providerProductId}`
    : `custom ${JSON.stringify(definition.name)}`
  const access = Object.entries(definition.access).filter(([, value]) => value !== false)
  const list = access.map(([key, value]) => (value === true ? key : `${key} ${value}`)).join(', ')
  return `${kind}${list === '' ? '' : ` with ${list}`}`
}

const describeChange = ({ field, before, after, takes }: FieldChange): string =>
  `    ${field}: ${show(before)} → ${show(after)}${takes ? ' !' : ''}`

function show(value: unknown): string {
  if (value === undefined || value === false) return 'no'
  if (value === true) return 'yes'
  return typeof value === 'string' && value !== 'unlimited' ? JSON.stringify(value) : toText(value)
}

const toText = (value: unknown): string => (typeof value === 'object' ? JSON.stringify(value) : String(value))
