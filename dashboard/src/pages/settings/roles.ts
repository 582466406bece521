// The roles that a person can have, in words.
export const roles = [
  { value: 'admin', label: 'Admin', text: 'Everything, people and keys of live included' },
  { value: 'member', label: 'Member', text: 'Everything but people and keys of live' },
  { value: 'read', label: 'Read only', text: 'Looks at everything, changes nothing' },
] as const

export const nameOfRole = (role: string): string =>
  roles.find(({ value }) => value === role)?.label.toLowerCase() ?? role
