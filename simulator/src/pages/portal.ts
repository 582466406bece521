// The hosted portal page: the customer's subscriptions, what can be done with them, and the card they are paid by.
import type { StoredPortalSession } from '../hosted-objects.ts'
import type { StoredSubscription } from '../objects.ts'
import type { PortalSubscription, PortalView } from '../portal/actions.ts'
import { computePeriodEnd } from '../subscriptions/change.ts'
import { type Html, html } from './html.ts'
import { cardFields, cardHints, layout, note } from './layout.ts'
import { formatAmount, formatDay, formatInterval, formatPrice } from './money.ts'

const statusTexts: Record<string, string> = {
  active: 'Active',
  trialing: 'Trial',
  past_due: 'Payment failed',
  unpaid: 'Unpaid',
  paused: 'Paused',
  incomplete: 'Payment incomplete',
}

/** The page's own path: the page is also shown in answer to a form, so relative ones would not do. */
export const toPath = ({ url }: StoredPortalSession) => new URL(url).pathname

const returnLink = ({ return_url: url }: StoredPortalSession) =>
  url === null ? undefined : html`<p><a href="${url}">Return</a></p>`

const toTitle = (word: string) => word.slice(0, 1).toUpperCase() + word.slice(1)

function renewalText(subscription: StoredSubscription): string {
  if (subscription.cancel_at !== null) return `Ends on ${formatDay(subscription.cancel_at)}`
  return `Next payment on ${formatDay(computePeriodEnd(subscription))}`
}

function actionForm(session: StoredPortalSession, action: string, content: Html): Html {
  return html`<form method="post" action="${toPath(session)}/${action}">${content}</form>`
}

function endingForm(session: StoredPortalSession, view: PortalView, held: StoredSubscription, hidden: Html) {
  if (held.cancel_at !== null) {
    return actionForm(session, 'resume', html`${hidden}<button>Resume subscription</button>`)
  }
  const { enabled, mode } = view.features.subscription_cancel
  if (!enabled) return undefined
  const text = mode === 'at_period_end' ? 'Cancel at period end' : 'Cancel now'
  return actionForm(session, 'cancel', html`${hidden}<button class="plain">${text}</button>`)
}

function subscriptionCard(session: StoredPortalSession, view: PortalView, one: PortalSubscription): Html {
  const { subscription, price, productName, offers } = one
  const hidden = html`<input type="hidden" name="subscription" value="${subscription.id}">`
  const options = offers.map((offer) => html`<option value="${offer.id}">${formatPrice(offer)}</option>`)
  const switching =
    offers.length === 0
      ? undefined
      : actionForm(
          session,
          'switch',
          html`${hidden}<label for="price-${subscription.id}">Change price</label>
<select id="price-${subscription.id}" name="price">${options}</select><button class="plain">Change</button>`,
        )
  return html`<section class="card" aria-label="Subscription to ${productName}">
<h2>${productName} <span class="badge">${statusTexts[subscription.status] ?? subscription.status}</span></h2>
<p class="amount">${formatAmount(price)} <small>${formatInterval(price.recurring)}</small></p>
<p class="muted">${renewalText(subscription)}</p>
${switching}${endingForm(session, view, subscription, hidden)}
</section>`
}

function cardForm(session: StoredPortalSession, { card }: PortalView, error: string | undefined): Html {
  const current =
    card === undefined
      ? 'No payment method yet.'
      : `Now: ${toTitle(card.card.brand)} ending in ${card.card.last4}`
  return html`<form class="card" method="post" action="${toPath(session)}/payment-method" aria-label="Payment method">
<h2>Payment method</h2>
<p class="muted">${current}</p>
${cardFields(error)}
<button>Save card</button>
</form>
${cardHints()}`
}

export function portalPage(
  session: StoredPortalSession,
  view: PortalView,
  error?: string,
  done?: string,
): string {
  const flow = session.flow?.type
  const isCardOnly = flow === 'payment_method_update'
  const isSubscriptionOnly = flow === 'subscription_cancel' || flow === 'subscription_update'
  const cards = view.subscriptions.map((one) => subscriptionCard(session, view, one))
  const subscriptions =
    cards.length > 0 ? cards : html`<section class="card"><p class="muted">No subscriptions.</p></section>`
  const hasCardForm = isCardOnly || (!isSubscriptionOnly && view.features.payment_method_update.enabled)
  const content = html`<h1>Billing</h1>
${note(error, 'bad')}${note(done, 'ok')}
${isCardOnly ? undefined : subscriptions}
${hasCardForm ? cardForm(session, view, error) : undefined}
${returnLink(session)}`
  return layout('Billing', content)
}

export function portalClosedPage(): string {
  return layout(
    'Billing',
    html`<section class="card"><h2>This link is no longer valid. Please ask for a new one.</h2></section>`,
  )
}
