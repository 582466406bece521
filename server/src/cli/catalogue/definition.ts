// A catalogue as a file describes it, and its reading: what is wrong with it is said with the place.
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CatalogueDefinition } from '@tollkeeper/sdk/src/catalogue.ts'
import { z } from 'zod'
import { resetAnchors, resetIntervals } from '../../domain/access/period.ts'
import { catalogueKeyForm } from '../../domain/catalogue/catalogue.ts'
import { toRequestError } from '../../http/invalid.ts'
import { CommandError } from '../command-error.ts'
import { showPath } from '../show-path.ts'
import { UsageError } from '../usage-error.ts'

const text = z.string().min(1).max(255)
const key = z.string().regex(catalogueKeyForm)

const featureSchema = z.discriminatedUnion('type', [
  z.strictObject({ name: text, description: z.string().optional(), type: z.literal('boolean') }),
  z.strictObject({
    name: text,
    description: z.string().optional(),
    type: z.literal('limit'),
    tracksUsage: z.boolean().optional(),
    usageResetInterval: z.enum(resetIntervals).optional(),
    usageResetAnchor: z.enum(resetAnchors).optional(),
  }),
])

const access = z.record(key, z.union([z.boolean(), z.number().min(0), z.literal('unlimited')]))

const customSchema = z.strictObject({
  name: text,
  metadata: z.record(z.string(), z.string()).optional(),
  isDefault: z.boolean().optional(),
  isAddOn: z.boolean().optional(),
  access,
})

const providerSchema = z.strictObject({
  providerProductId: text,
  isAddOn: z.boolean().optional(),
  limitsPerUnit: z.boolean().optional(),
  access,
})

const shape = z.strictObject({
  features: z.record(key, featureSchema),
  products: z.record(key, z.unknown()),
})

export type Definition = CatalogueDefinition
export type DefinedFeature = CatalogueDefinition['features'][string]
export type DefinedProduct = CatalogueDefinition['products'][string]

export const isProviderProduct = (
  product: DefinedProduct,
): product is Extract<DefinedProduct, { providerProductId: string }> => 'providerProductId' in product

const names = ['ts', 'mts', 'js', 'mjs', 'json'].map((ending) => `tollkeeper.catalogue.${ending}`)

/** The file named, else the one in this folder that has the name of one. */
export async function readDefinition(named: string | undefined): Promise<Definition> {
  const path = resolve(named ?? names.find((name) => existsSync(name)) ?? (names[0] as string))
  if (!existsSync(path))
    throw new UsageError(
      `There is no ${showPath(path)}; tollkeeper pull --catalogue writes one from the running service.`,
    )
  return checkDefinition(await load(path), showPath(path))
}

async function load(path: string): Promise<unknown> {
  try {
    if (extname(path) === '.json') return JSON.parse(await readFile(path, 'utf8'))
    const module = (await import(pathToFileURL(path).href)) as Record<string, unknown>
    return module.catalogue ?? module.default
  } catch (error) {
    throw new CommandError(`${showPath(path)} cannot be read: ${(error as Error).message}`)
  }
}

function checkDefinition(value: unknown, file: string): Definition {
  const { features, products } = check(shape, value, file, [])
  for (const [productKey, product] of Object.entries(products)) {
    const isProvider =
      typeof product === 'object' && product !== null && Object.hasOwn(product, 'providerProductId')
    check(isProvider ? providerSchema : customSchema, product, file, ['products', productKey])
  }
  return { features, products } as Definition
}

function check<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  file: string,
  at: string[],
): z.output<Schema> {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw new CommandError(`${file}: ${toRequestError(result.error, 'body', value, at).message}`)
}
