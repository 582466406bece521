// The products that the customer holds, with what is paid for them and until when.
import type { Customer, CustomerProduct } from '@tollkeeper/sdk/src/generated/api.ts'
import { Link } from 'wouter'
import { useMay } from '../../api/session.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { formatMoney } from '../../parts/format.ts'
import { Section } from '../../parts/section.tsx'
import { Time } from '../../parts/time.tsx'
import classes from './customer.module.css'
import type { Doing } from './doing.ts'
import { SmallButton } from './small-button.tsx'

export function Holdings({ customer, doing }: { customer: Customer; doing: Doing }) {
  const mayWrite = useMay()
  return (
    <Section
      title="Products"
      actions={
        mayWrite ? <SmallButton onClick={() => doing.open('products')}>Assign</SmallButton> : undefined
      }
    >
      {customer.products.length === 0 && <p className={classes.soft}>None is held.</p>}
      {customer.products.map((product) => (
        <Holding key={`${product.key} ${product.startedAt}`} product={product} />
      ))}
      <div className={classes.item}>
        <div className={classes.what}>
          <div className={classes.soft}>
            {customer.hasPaymentMethod ? 'A payment method is on file.' : 'No payment method is on file.'}
          </div>
        </div>
      </div>
    </Section>
  )
}

const tones: Record<string, Tone> = {
  active: 'green',
  trialing: 'accent',
  past_due: 'red',
  unpaid: 'red',
  paused: 'amber',
}

function Holding({ product }: { product: CustomerProduct }) {
  const { key, name, version, status, isDefault, type, canceledAt, startedAt, currentPeriodEnd, prices } =
    product
  const isSubscription = type === 'provider'
  return (
    <div className={classes.item}>
      <div className={classes.what}>
        <div className={classes.first}>
          <Link href={`/products/${encodeURIComponent(key)}`}>{name}</Link>
          {isDefault ? (
            <Badge>default</Badge>
          ) : (
            <Badge tone={tones[status] ?? 'neutral'}>{status.replaceAll('_', ' ')}</Badge>
          )}
        </div>
        {prices.map((price) => (
          <div key={price.providerPriceId}>{writePrice(price)}</div>
        ))}
        <div className={classes.soft}>
          version {version}
          {isSubscription && (
            <>
              {canceledAt === null ? ' · renews ' : ' · canceled, ends '}
              <Time at={currentPeriodEnd} isUntil />
            </>
          )}
          {!isSubscription && !isDefault && (
            <>
              {' · assigned '}
              <Time at={startedAt} />
            </>
          )}
        </div>
      </div>
    </div>
  )
}

function writePrice(price: CustomerProduct['prices'][number]): string {
  const { unitAmount, currency, quantity, recurringInterval, recurringIntervalCount = 1 } = price
  const amount =
    unitAmount === undefined || currency === undefined ? 'Price' : formatMoney(unitAmount, currency)
  const every =
    recurringIntervalCount === 1 ? recurringInterval : `${recurringIntervalCount} ${recurringInterval}s`
  return `${quantity === 1 ? '' : `${quantity} × `}${amount}${recurringInterval === undefined ? '' : ` per ${every}`}`
}
