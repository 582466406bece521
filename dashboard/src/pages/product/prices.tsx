// The prices of a product, as the payment provider has them.
import type { Product } from '@tollkeeper/sdk/src/generated/api.ts'
import { useProviderMode } from '../../api/session.ts'
import { Badge } from '../../parts/badge.tsx'
import { Id } from '../../parts/id.tsx'
import { writePrice } from '../../parts/price.ts'
import classes from './product.module.css'

export function Prices({ product }: { product: Product }) {
  const isSimulated = useProviderMode() === 'simulator'
  const sorted = product.prices.toSorted((one, other) => rank(one) - rank(other))
  return (
    <section aria-labelledby="prices">
      <h2 id="prices" className={classes.title}>
        Prices
      </h2>
      {product.type === 'custom' && (
        <p className={classes.soft}>
          A custom product is assigned, not bought: it has no price here. A product of the payment provider
          has those that it has there.
        </p>
      )}
      {product.type === 'provider' && sorted.length === 0 && (
        <p className={classes.soft}>
          None yet. Prices are made at the {isSimulated ? 'simulated ' : ''}payment provider and are here a
          moment later.
        </p>
      )}
      {sorted.map((price) => (
        <div key={price.id} className={`${classes.price} ${price.isActive ? '' : classes.inactive}`}>
          <span className={classes.amount}>
            {writePrice(price)}
            {price.isDefault && <Badge tone="accent">default</Badge>}
            {!price.isActive && <Badge>not sold any more</Badge>}
          </span>
          <Id value={price.providerPriceId} />
        </div>
      ))}
    </section>
  )
}

const rank = ({ isActive, isDefault }: Product['prices'][number]): number =>
  isActive ? (isDefault ? 0 : 1) : 2
