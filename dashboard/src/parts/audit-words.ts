// What is written in the audit log, in words.
const actions: Record<string, string> = {
  'bonus.create': 'Gave a bonus',
  'bonus.update': 'Changed a bonus',
  'bonus.delete': 'Deleted a bonus',
  'clock.set': 'Set the test clock',
  'customer.create': 'Created a customer',
  'customer.update': 'Changed a customer',
  'customer.delete': 'Deleted a customer',
  'customer.sync': 'Took over subscriptions',
  'feature.create': 'Created a feature',
  'feature.update': 'Changed a feature',
  'feature.archive': 'Archived a feature',
  'feature.unarchive': 'Brought back a feature',
  'feature.delete': 'Deleted a feature',
  'key.create': 'Made a key',
  'key.rotate': 'Rotated a key',
  'key.revoke': 'Revoked a key',
  'person.configure': 'Set up a person from configuration',
  'person.invite': 'Invited a person',
  'person.join': 'Joined',
  'person.link': 'Made a link for a person',
  'person.password': 'Changed a password',
  'person.remove': 'Removed a person',
  'person.role': 'Gave a person another role',
  'product.create': 'Created a product',
  'product.update': 'Changed a product',
  'product.archive': 'Archived a product',
  'product.unarchive': 'Brought back a product',
  'product.delete': 'Deleted a product',
  'product.link': 'Linked a product to the provider',
  'product.create_version': 'Made a product version',
  'product.set_feature_access': 'Changed what a product gives',
  'product.migrate': 'Moved customers to another version',
  'usage.amend': 'Edited a usage event',
  'usage.delete': 'Deleted a usage event',
}

/** An action without words of its own is shown as it is. */
export const writeAction = (action: string): string => actions[action] ?? action

export const actionOptions = [
  { value: 'bonus', label: 'Bonuses: any change' },
  { value: 'customer', label: 'Customers: any change' },
  { value: 'feature', label: 'Features: any change' },
  { value: 'key', label: 'Keys: any change' },
  { value: 'person', label: 'People: any change' },
  { value: 'product', label: 'Products: any change' },
  { value: 'usage', label: 'Usage: any change' },
  ...Object.entries(actions).map(([value, label]) => ({ value, label })),
]

/** person:<e-mail>, key:<id>, or the service itself. */
export function readActor(actor: string): { kind: string; name: string } {
  const at = actor.indexOf(':')
  return at < 0 ? { kind: '', name: actor } : { kind: actor.slice(0, at), name: actor.slice(at + 1) }
}
