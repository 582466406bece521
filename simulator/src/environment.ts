// The two halves of an account, kept apart in everything: test mode and live mode.

export const environments = ['test', 'live'] as const
export type Environment = (typeof environments)[number]
