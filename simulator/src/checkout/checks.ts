// What Stripe demands of a checkout session beyond the form of its parameters.
import { ApiError, missing, onlyOneOf } from '../api/errors.ts'
import type { Context } from '../context.ts'
import type { StoredPrice } from '../objects.ts'
import { checkQuantity, getActivePrice, isRecurring } from '../subscriptions/create.ts'
import type { CreateParams } from './params.ts'

const minuteSeconds = 60
const daySeconds = 86_400

export function checkParams(input: CreateParams, now: number): void {
  if (input.mode !== 'subscription') {
    throw new ApiError(`The simulator has no checkout of mode ${input.mode}.`, { param: 'mode' })
  }
  if (input.customer !== undefined && input.customer_email !== undefined) {
    throw onlyOneOf('customer', 'customer_email')
  }
  if (input.customer === undefined && input.customer_update !== undefined) {
    throw new ApiError('`customer_update` can only be used with `customer`.', { param: 'customer_update' })
  }
  if (input.allow_promotion_codes !== undefined && input.discounts !== undefined) {
    throw onlyOneOf('allow_promotion_codes', 'discounts')
  }
  const coupon = input.discounts?.[0]
  // No account of the simulator has any.
  if (coupon?.coupon !== undefined) throw missing('coupon', coupon.coupon, 'discounts[0][coupon]')
  if (coupon?.promotion_code !== undefined) {
    throw missing('promotion code', coupon.promotion_code, 'discounts[0][promotion_code]')
  }
  const { expires_at: expiresAt, subscription_data: data } = input
  if (expiresAt !== undefined && expiresAt < now + 30 * minuteSeconds) {
    throw new ApiError(
      'The `expires_at` timestamp must be at least 30 minutes from Checkout Session creation.',
      {
        param: 'expires_at',
      },
    )
  }
  if (expiresAt !== undefined && expiresAt > now + daySeconds) {
    throw new ApiError(
      'The `expires_at` timestamp must be less than 24 hours from Checkout Session creation.',
      {
        param: 'expires_at',
      },
    )
  }
  if (data?.trial_end !== undefined && data.trial_period_days !== undefined) {
    throw onlyOneOf('subscription_data[trial_end]', 'subscription_data[trial_period_days]')
  }
  if (data?.trial_end !== undefined && data.trial_end < now + 2 * daySeconds) {
    throw new ApiError('The `trial_end` date has to be at least 2 days in the future.', {
      param: 'subscription_data[trial_end]',
    })
  }
}

/** The prices of a session's lines, each of which may be sold this way. */
export async function loadPrices(
  context: Context,
  lines: CreateParams['line_items'],
): Promise<StoredPrice[]> {
  const prices: StoredPrice[] = []
  for (const [index, line] of lines.entries()) {
    const price = await getActivePrice(context, line.price, `line_items[${index}][price]`)
    const param = `line_items[${index}][quantity]`
    checkQuantity(price, line.quantity, param)
    if (line.quantity === undefined && price.recurring?.usage_type !== 'metered') {
      throw new ApiError(`Quantity is required. Add \`quantity\` to \`line_items[${index}]\`.`, { param })
    }
    prices.push(price)
  }
  if (!prices.some(isRecurring)) {
    throw new ApiError('You must provide at least one recurring price in `subscription` mode.', {
      param: 'line_items',
    })
  }
  if (new Set(prices.map((price) => price.currency)).size > 1) {
    throw new ApiError('All prices of a Checkout Session must have the same currency.', {
      param: 'line_items',
    })
  }
  return prices
}
