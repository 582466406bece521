// The front page of a simulator that runs by itself: what its account holds, and buttons for what time and chance do.
import type { Context } from '../context.ts'
import type { StoredCustomer, StoredPrice, StoredProduct, StoredSubscription } from '../objects.ts'
import { type Html, html } from '../pages/html.ts'
import { layout, note } from '../pages/layout.ts'
import { formatPrice } from '../pages/money.ts'
import type { StoredBody } from '../store/store.ts'

/** Of each kind the newest. */
const shown = 20

type StoredEvent = StoredBody & { type: string; data: { object: { id?: string } } }

type Overview = {
  nowMs: number
  isFrozen: boolean
  failingCharges: number
  secretKey: string
  webhookTarget: string | undefined
  products: StoredProduct[]
  prices: StoredPrice[]
  customers: StoredCustomer[]
  subscriptions: StoredSubscription[]
  events: StoredEvent[]
}

export async function readObjects(context: Context) {
  const list = async <T>(object: string, limit = shown) =>
    (await context.store.listObjects({ object, limit })).slice(0, limit) as unknown as T[]
  return {
    products: await list<StoredProduct>('product'),
    prices: await list<StoredPrice>('price', 5 * shown),
    customers: await list<StoredCustomer>('customer'),
    subscriptions: await list<StoredSubscription>('subscription'),
    events: await list<StoredEvent>('event'),
  }
}

const formatTime = (seconds: number) =>
  `${new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')} UTC`

function button(action: string, text: string, fields: Record<string, string> = {}): Html {
  const hidden = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  return html`<form method="post" action="/actions/${action}">${hidden}<button class="plain">${text}</button></form>`
}

function table(title: string, heads: string[], rows: Html[][]): Html {
  const head = heads.map((text) => html`<th scope="col">${text}</th>`)
  const body = rows.map((cells) => html`<tr>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`)
  const content =
    rows.length === 0
      ? html`<p class="muted">None yet.</p>`
      : html`<table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table>`
  return html`<section class="card" aria-label="${title}"><h2>${title}</h2>${content}</section>`
}

function controls(view: Overview): Html {
  const charges = view.failingCharges === 0 ? '' : ` (${view.failingCharges} will fail)`
  const steps = [
    ['day', 'Advance a day'],
    ['week', 'Advance a week'],
    ['month', 'Advance a month'],
    ['year', 'Advance a year'],
  ] as const
  return html`<section class="card" aria-label="Controls">
<h2>${formatTime(view.nowMs / 1000)} <span class="badge">${view.isFrozen ? 'stands still' : 'real time'}</span></h2>
<p>${steps.map(([step, text]) => button('advance', text, { step }))}${view.isFrozen ? button('real-time', 'Back to real time') : undefined}</p>
<p>${button('fail-charge', `Fail the next charge${charges}`)}</p>
<p class="muted">Key ${view.secretKey} · webhooks ${view.webhookTarget ?? 'are kept, but not sent: start with --webhook'}</p>
</section>`
}

export function overviewPage(view: Overview, done?: string): string {
  const pricesOf = ({ id }: StoredProduct) =>
    view.prices
      .filter((price) => price.product === id)
      .map((price) => html`${formatPrice(price)} (${price.id})<br>`)
  const products = view.products.map((product) => [
    html`${product.name}`,
    html`${product.id}`,
    html`${pricesOf(product)}`,
  ])
  const customers = view.customers.map((one) => [
    html`${one.name ?? '–'}`,
    html`${one.email ?? '–'}`,
    html`${one.id}`,
  ])
  const subscriptions = view.subscriptions.map((one) => [
    html`${one.id}`,
    html`${one.status}`,
    html`${one.customer}`,
    html`${one.items.data.map((item) => html`${item.quantity ?? ''} × ${item.price}, until ${formatTime(item.current_period_end)}<br>`)}`,
  ])
  const events = view.events.map((event) => [
    html`${formatTime(event.created)}`,
    html`${event.type}`,
    html`${event.data.object.id ?? ''}`,
    button('resend', 'Send again', { event: event.id }),
  ])
  const content = html`<h1>An account that is not real</h1>
${note(done, 'ok')}${controls(view)}
${table('Products', ['Name', 'Id', 'Prices'], products)}
${table('Customers', ['Name', 'Email', 'Id'], customers)}
${table('Subscriptions', ['Id', 'Status', 'Customer', 'Items'], subscriptions)}
${table('Events', ['Time', 'Type', 'About', ''], events)}`
  return layout('Simulator', content, 'wide')
}
