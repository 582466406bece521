// The hosted checkout page: what is bought, the card form, the authentication step, and what an ended session says.
import { needsCard } from '../checkout/completion.ts'
import type { StoredSession } from '../hosted-objects.ts'
import type { StoredCustomer, StoredPrice } from '../objects.ts'
import { computeAmount } from '../subscriptions/amounts.ts'
import { computeTrialEnd } from '../subscriptions/create.ts'
import { html } from './html.ts'
import { cardFields, cardHints, layout, note } from './layout.ts'
import { formatDay, formatInterval, formatMoney, formatPrice } from './money.ts'

export type CheckoutView = {
  session: StoredSession
  customer: StoredCustomer | undefined
  lines: { price: StoredPrice; productName: string; quantity: number | undefined }[]
  now: number
}

function summary({ session, customer, lines, now }: CheckoutView) {
  const trialEnd = computeTrialEnd(now, session.internal.subscriptionData)
  const recurring = lines.filter(({ price }) => price.recurring !== null)
  const sum = recurring.reduce((total, { price, quantity }) => total + computeAmount(price, quantity), 0)
  const total = formatMoney(sum, session.currency)
  const interval = formatInterval(recurring[0]?.price.recurring ?? null)
  const rows = lines.map(
    ({ price, productName, quantity }) =>
      html`<dt>${productName}${quantity !== undefined && quantity > 1 ? ` × ${quantity}` : ''}</dt><dd>${formatPrice(price)}</dd>`,
  )
  const headline =
    trialEnd === null
      ? html`<p class="amount">${total} <small>${interval}</small></p>`
      : html`<p class="amount">Free trial</p>
<p class="muted">until ${formatDay(trialEnd)}, then ${total} ${interval}</p>`
  const today = formatMoney(session.amount_total, session.currency)
  return html`<section class="card" aria-label="Order">
<h1>Subscribe to ${lines.map((line) => line.productName).join(', ')}</h1>
${headline}
<dl>${rows}<dt>Due today</dt><dd>${today}</dd></dl>
${customer?.email ? html`<p class="muted">${customer.email}</p>` : undefined}
</section>`
}

/** The page's own path: a form is also shown in answer to another form, so relative ones would not do. */
const toPath = ({ url }: StoredSession) => (url === null ? '' : new URL(url).pathname)

const cancelLink = ({ cancel_url: url }: StoredSession) =>
  url === null ? undefined : html`<p><a href="${url}">Go back without paying</a></p>`

export function checkoutPage(view: CheckoutView, error?: string): string {
  const isTrial = computeTrialEnd(view.now, view.session.internal.subscriptionData) !== null
  const isNeeded = needsCard(view.session, view.now)
  const content = html`${note(error, 'bad')}${summary(view)}
<form class="card" method="post" action="${toPath(view.session)}" aria-label="Payment">
<h2>Pay by card</h2>
${isNeeded ? cardFields(error) : html`<p class="muted">No card is needed now.</p>`}
<button>${isTrial ? 'Start trial' : 'Subscribe'}</button>
</form>
${isNeeded ? cardHints() : undefined}
${cancelLink(view.session)}`
  return layout('Checkout', content)
}

export function authenticationPage(view: CheckoutView): string {
  const content = html`${summary(view)}
<form class="card" method="post" action="${toPath(view.session)}/authenticate" aria-label="Authentication">
<h2>Your bank wants to know that it is you</h2>
<p class="muted">This step stands for the bank's own page.</p>
<button name="outcome" value="complete">Complete authentication</button>
<button class="plain" name="outcome" value="fail">Fail authentication</button>
</form>
${cancelLink(view.session)}`
  return layout('Authentication', content)
}

export function endedPage(session: StoredSession | undefined): string {
  const text =
    session?.status === 'complete'
      ? 'This checkout is complete. You can close this page.'
      : 'This checkout link is no longer valid. Please ask for a new one.'
  const back = session?.cancel_url
  return layout(
    'Checkout',
    html`<section class="card"><h2>${text}</h2>${back ? html`<p><a href="${back}">Go back</a></p>` : undefined}</section>`,
  )
}
