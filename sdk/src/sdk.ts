// The package's entry: the client, its errors, and the types of all it takes and answers.
// biome-ignore-all lint/performance/noBarrelFile: this is what the package exports
export type { BufferedOptions, UsageBuffer } from './buffer.ts'
export type { BufferedUsage, BufferOptions, LossReason, Spool } from './buffer-options.ts'
export * from './client.ts'
export * from './errors.ts'
export type {
  AccessArithmetic,
  AccessCheck,
  AccessExplanation,
  AccessGrant,
  AccessPeriod,
  BatchFailure,
  Bonus,
  BonusChange,
  Customer,
  CustomerProduct,
  DrawnBonus,
  Feature,
  FeatureAccess,
  FeatureAccessEntry,
  FeatureAccessItem,
  FeatureAnswer,
  HeldPrice,
  MigrationChange,
  Price,
  Product,
  ProductFeatureAccess,
  ProviderCustomer,
  StartedCheckout,
  TestClock,
  Usage,
  UsageBucket,
  UsageEvent,
  UsageRecord,
  UsageResult,
  UsageSetResult,
  VersionAccess,
} from './generated/api.ts'
export type { Handler, HandlerOptions } from './handler.ts'
// With a star: names that are exported one by one could not be filled by declaration merging.
export * from './keys.ts'
export type { List, Page } from './list.ts'
export type { CallOptions, Fetch, TollkeeperOptions } from './options.ts'
export type * from './resources/bonuses.ts'
export type * from './resources/customers.ts'
export type * from './resources/feature-access.ts'
export type * from './resources/features.ts'
export type * from './resources/products.ts'
export type * from './resources/usage.ts'
