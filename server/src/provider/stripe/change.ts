// Changing a subscription to another price: a portal page that shows what it costs and waits for the customer's word.
import type Stripe from 'stripe'
import type { ChangeRequest } from '../provider.ts'
import type { Deadline } from './deadline.ts'

/**
 * A portal configuration of our own, since the account's may not allow changes. One for each price: a configuration takes few products, and
 * no two prices of one product and interval. Stripe's defaults would charge nothing for the change and end trials.
 */
export async function createChangePage(
  stripe: Stripe,
  deadline: Deadline,
  { providerProductId, providerPriceId }: { providerProductId: string; providerPriceId: string },
): Promise<{ changePageId: string }> {
  const { id } = await stripe.billingPortal.configurations.create(
    {
      name: `Change to ${providerPriceId}`.slice(0, 100),
      metadata: { tollkeeper_price: providerPriceId },
      features: {
        payment_method_update: { enabled: true },
        subscription_update: {
          enabled: true,
          default_allowed_updates: ['price', 'quantity'],
          products: [
            { product: providerProductId, prices: [providerPriceId], adjustable_quantity: { enabled: true } },
          ],
          proration_behavior: 'always_invoice',
          trial_update_behavior: 'continue_trial',
        },
      },
    },
    deadline.request(),
  )
  return { changePageId: id }
}

export async function createChangeSession(
  stripe: Stripe,
  deadline: Deadline,
  request: ChangeRequest,
): Promise<{ url: string }> {
  const { itemId: id, providerPriceId: price, quantity, cancelUrl } = request
  const { url } = await stripe.billingPortal.sessions.create(
    {
      customer: request.providerCustomerId,
      configuration: request.changePageId,
      ...(cancelUrl === undefined ? {} : { return_url: cancelUrl }),
      flow_data: {
        type: 'subscription_update_confirm',
        subscription_update_confirm: {
          subscription: request.providerSubscriptionId,
          items: [{ id, price, quantity }],
        },
        after_completion: { type: 'redirect', redirect: { return_url: request.successUrl } },
      },
    },
    deadline.request(),
  )
  return { url }
}
