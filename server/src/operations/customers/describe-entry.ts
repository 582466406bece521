// Entries of the log in words, for a customer's timeline and charts.

type Entry = { action: string; subject: string }

const titles: Record<string, string> = {
  'customer.create': 'Customer created',
  'customer.update': 'Customer changed',
  'customer.delete': 'Customer deleted',
  'customer.sync': 'Subscriptions changed',
  'usage.amend': 'Usage event edited',
  'usage.delete': 'Usage event deleted',
  'bonus.create': 'Bonus given',
  'bonus.update': 'Bonus changed',
  'bonus.delete': 'Bonus taken back',
}

export const describeEntry = ({ action }: Entry): string => titles[action] ?? action

/** What comes from the payment provider. */
export const subscriptionActions = ['customer.sync']

export const changeActions = Object.keys(titles).filter((action) => !subscriptionActions.includes(action))

/** What may have changed a limit. */
export const limitActions = [
  'customer.create',
  'customer.update',
  'customer.sync',
  'bonus.create',
  'bonus.update',
  'bonus.delete',
]
