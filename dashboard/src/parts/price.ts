// A price in words: "$49.00 a month".
import type { Price } from '@tollkeeper/sdk/src/generated/api.ts'
import { formatMoney } from './format.ts'

export function writePrice({
  unitAmount,
  currency,
  recurringInterval,
  recurringIntervalCount,
}: Price): string {
  const money = unitAmount === null || currency === null ? 'by usage' : formatMoney(unitAmount, currency)
  if (recurringInterval === null) return `${money} once`
  const count = recurringIntervalCount ?? 1
  return count === 1
    ? `${money} ${recurringInterval === 'hour' ? 'an' : 'a'} ${recurringInterval}`
    : `${money} every ${count} ${recurringInterval}s`
}
