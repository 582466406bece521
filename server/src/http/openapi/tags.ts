// The groups of routes, in the order in which a newcomer meets them.

export const tags: { name: string; description: string }[] = [
  {
    name: 'Features',
    description: 'What customers may use: access alone, or a limit with a numeric allowance.',
  },
  {
    name: 'Products',
    description:
      'What customers hold, custom or sold by the payment provider, and what each version of it gives of every feature.',
  },
  {
    name: 'Customers',
    description: 'Who holds products, under your own ids; and the provider’s pages for buying and managing.',
  },
  {
    name: 'Usage',
    description:
      'The ledger: events counted exactly once per eventKey, set, corrected and deleted; periods follow at once.',
  },
  {
    name: 'Bonuses',
    description: 'Extra allowance, drawn when the plan’s is used up, until spent or expired.',
  },
  {
    name: 'Feature access',
    description: 'May this customer use this feature, how much is left, and why. Always current.',
  },
  { name: 'Test clock', description: 'The test environment’s time: freeze it, move it, let it run.' },
]
