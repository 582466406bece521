// What a sentence in the palette asks for: "give acme 500 api_calls", "record acme 3 api_calls", "checkout acme pro". Words
// may be left out from the end, and the amount may stand before or after the feature.
export type WordAction = 'give-bonus' | 'record-usage' | 'set-usage' | 'checkout'

export type Sentence = {
  action: WordAction
  customer: string
  amount?: number
  /** A feature, or for a checkout a product. */
  subject?: string
}

const verbs: Record<string, WordAction> = {
  give: 'give-bonus',
  bonus: 'give-bonus',
  record: 'record-usage',
  track: 'record-usage',
  set: 'set-usage',
  checkout: 'checkout',
  sell: 'checkout',
}

export function readSentence(text: string): Sentence | undefined {
  const [verb = '', customer, ...rest] = text.trim().split(/\s+/)
  const action = verbs[verb.toLowerCase()]
  if (action === undefined || customer === undefined) return undefined
  const amount = rest.find((word) => /^-?\d[\d,]*(\.\d+)?$/.test(word))
  const subject = rest.find((word) => word !== amount)
  return {
    action,
    customer,
    ...(amount === undefined ? {} : { amount: Number(amount.replaceAll(',', '')) }),
    ...(subject === undefined ? {} : { subject }),
  }
}
