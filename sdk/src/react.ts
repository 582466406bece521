// The entry for React: a provider, hooks and a gate, fed by the handler on your own server.
// biome-ignore-all lint/performance/noBarrelFile: this is what the package exports
'use client'
export { Gate, type GateProps } from './react/gate.ts'
export { TollkeeperProvider, type TollkeeperProviderProps } from './react/provider.ts'
export { type UseAccess, type UseUsage, useAccess, useAccessMap, useUsage } from './react/use-access.ts'
