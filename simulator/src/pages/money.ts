// How prices and dates read on the hosted pages.
import type { StoredPrice } from '../objects.ts'

export function formatMoney(amount: number, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency: currency.toUpperCase() })
  const decimals = format.resolvedOptions().maximumFractionDigits ?? 2
  return format.format(amount / 10 ** decimals)
}

export function formatInterval(recurring: StoredPrice['recurring']): string {
  if (recurring === null) return ''
  const { interval, interval_count: count } = recurring
  return count === 1 ? `per ${interval}` : `every ${count} ${interval}s`
}

export function formatAmount(price: StoredPrice): string {
  return formatMoney(price.unit_amount ?? Number(price.unit_amount_decimal ?? 0), price.currency)
}

export function formatPrice(price: StoredPrice): string {
  return `${formatAmount(price)} ${formatInterval(price.recurring)}`
}

export function formatDay(seconds: number): string {
  return new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(seconds * 1000)
}
