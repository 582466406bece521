// What archiving or deleting a feature would take along.
import { getFeature } from '../../domain/catalogue/catalogue.ts'
import { countFeatureImpact } from '../../storage/statistics/bonus-list.ts'
import type { Context } from '../context.ts'
import type { Services } from '../services.ts'

export async function getFeatureImpact(
  { database }: Services,
  { catalogue, principal, now }: Context,
  featureKey: string,
) {
  const { featureNo } = getFeature(catalogue, featureKey)
  const counts = await countFeatureImpact(database.pool, principal.environment, featureNo, now)
  const products = [...catalogue.products.values()].flatMap(({ productKey, versions }) => {
    const having = versions.filter(({ entries }) => entries.some((entry) => entry.featureKey === featureKey))
    return having.length > 0 ? [{ productKey, versions: having.map(({ version }) => version) }] : []
  })
  return { products, ...counts }
}
