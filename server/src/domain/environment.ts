// The two halves of an installation; every row and every key belongs to one.
export const environments = ['test', 'live'] as const
export type Environment = (typeof environments)[number]
