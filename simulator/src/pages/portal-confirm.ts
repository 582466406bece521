// The page on which a customer confirms a change that the seller prepared: from what to what, what is due now, and then.
import type { StoredPortalSession } from '../hosted-objects.ts'
import type { ConfirmView } from '../portal/confirm.ts'
import { computeAmount } from '../subscriptions/amounts.ts'
import { html } from './html.ts'
import { cardFields, cardHints, layout, note } from './layout.ts'
import { formatDay, formatInterval, formatMoney } from './money.ts'
import { toPath } from './portal.ts'

type Side = ConfirmView['from']

function describe({ price, productName, quantity }: Side): string {
  const amount = formatMoney(computeAmount(price, quantity), price.currency)
  return `${productName}${quantity === 1 ? '' : ` × ${quantity}`}: ${amount} ${formatInterval(price.recurring)}`
}

export function confirmPage(session: StoredPortalSession, view: ConfirmView, error?: string): string {
  const { from, to, lines, amountDue, next, canPay } = view
  const { currency } = to.price
  const rows = lines.map(
    (line) => html`<dt>${line.description}</dt><dd>${formatMoney(line.amount, currency)}</dd>`,
  )
  const nextAt = formatDay(Math.max(...next.items.data.map((item) => item.current_period_end)))
  const nextText =
    next.cancel_at === null
      ? `${next.status === 'trialing' ? 'Trial until' : 'Next payment on'} ${nextAt}`
      : `Ends on ${formatDay(next.cancel_at)}`
  const card = canPay ? undefined : html`<p class="muted">A card is needed to pay.</p>${cardFields(error)}`
  const content = html`<h1>Confirm your updates</h1>
${note(error, 'bad')}
<section class="card" aria-label="Change">
<dl><dt>Now</dt><dd>${describe(from)}</dd><dt>New</dt><dd>${describe(to)}</dd></dl>
<dl>${rows}<dt>Amount due today</dt><dd>${formatMoney(amountDue, currency)}</dd></dl>
<p class="muted">${nextText}</p>
</section>
<form class="card" method="post" action="${toPath(session)}/confirm" aria-label="Confirm">
${card}
<button>Confirm</button>
</form>
${canPay ? undefined : cardHints()}
${session.return_url === null ? undefined : html`<p><a href="${session.return_url}">Go back without changing anything</a></p>`}`
  return layout('Confirm your updates', content)
}

export function confirmedPage(message: string | null): string {
  return layout(
    'Billing',
    html`<section class="card"><h2>${message ?? 'Your subscription was updated.'}</h2></section>`,
  )
}
