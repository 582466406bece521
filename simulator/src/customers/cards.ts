// The test cards of the hosted pages and of the API, and what each of them does.

type CardKind = 'pays' | 'declined' | 'needs_action' | 'fails_later'

export type TestCard = { number: string; kind: CardKind; brand: string; meaning: string }

export const testCards: TestCard[] = [
  { number: '4242424242424242', kind: 'pays', brand: 'visa', meaning: 'Pays' },
  { number: '5555555555554444', kind: 'pays', brand: 'mastercard', meaning: 'Pays (Mastercard)' },
  { number: '4000000000000002', kind: 'declined', brand: 'visa', meaning: 'Is declined' },
  { number: '4000002500003155', kind: 'needs_action', brand: 'visa', meaning: 'Asks for authentication' },
  { number: '4000000000000341', kind: 'fails_later', brand: 'visa', meaning: 'Pays now, fails at renewal' },
]

/** Names that stand for a card in API calls, so that tests need not send numbers. */
const namedCards: Record<string, string> = {
  pm_card_visa: '4242424242424242',
  pm_card_mastercard: '5555555555554444',
  pm_card_chargeCustomerFail: '4000000000000341',
}

export function findCard(number: string): TestCard | undefined {
  const digits = number.replace(/[\s-]/g, '')
  return testCards.find((card) => card.number === digits)
}

export function findNamedCard(name: string): TestCard | undefined {
  const number = namedCards[name]
  return number === undefined ? undefined : findCard(number)
}

export function formatCard(number: string): string {
  return number.replace(/(.{4})(?=.)/g, '$1 ')
}
