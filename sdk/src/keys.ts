// The keys of your catalogue. `tollkeeper pull` writes a file that fills the two interfaces below; without it, keys are strings.

/**
 * Your features, by key. Filled by declaration merging:
 * `declare module '@tollkeeper/sdk' { interface FeatureKeys { api_calls: { type: 'limit'; tracksUsage: true } } }`
 */
// biome-ignore lint/suspicious/noEmptyInterface: it is there to be filled by declaration merging
export interface FeatureKeys {}

/** Your products, by key: `interface ProductKeys { pro: { type: 'provider' } }`. */
// biome-ignore lint/suspicious/noEmptyInterface: it is there to be filled by declaration merging
export interface ProductKeys {}

type KeysOf<Keys> = [keyof Keys] extends [never] ? string : keyof Keys & string

/** Those whose description has all that is asked for. */
type KeysWith<Keys, Asked> = [keyof Keys] extends [never]
  ? string
  : { [Key in keyof Keys & string]: Keys[Key] extends Asked ? Key : never }[keyof Keys & string]

export type FeatureKey = KeysOf<FeatureKeys>
/** Of features that track usage: what can be recorded, set and given a bonus for. */
export type TrackedFeatureKey = KeysWith<FeatureKeys, { tracksUsage: true }>
export type ProductKey = KeysOf<ProductKeys>
/** Of products that are assigned, not bought. */
export type CustomProductKey = KeysWith<ProductKeys, { type: 'custom' }>
/** Of products that are sold through the payment provider. */
export type ProviderProductKey = KeysWith<ProductKeys, { type: 'provider' }>

/** The same fields, with the catalogue's own keys for `Feature` and `Product` keys. */
export type Keyed<Fields, Feature = FeatureKey, Product = ProductKey> = {
  [Name in keyof Fields]: Name extends 'featureKey'
    ? Feature
    : Name extends 'productKey'
      ? Product
      : Name extends 'customProductKeys' | 'addCustomProductKeys' | 'removeCustomProductKeys'
        ? CustomProductKey[]
        : Fields[Name]
}
