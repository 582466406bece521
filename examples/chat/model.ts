// The "model": a local function with opinions on one subject. What matters is that an answer costs what is known only afterwards.

export type ModelName = 'small' | 'large'

export const countTokens = (text: string): number => Math.ceil(text.length / 4)

const thoughts = [
  'Charge for what people value, not for what it costs you to make.',
  'A limit that is explained before it is reached is a feature; one that is discovered is a bug report.',
  'Free plans are for finding out whether the product helps, so leave enough in them to find out.',
  'Whoever counts usage twice loses a customer, and whoever forgets to count it loses money: count once.',
  'People forgive a price, but not a surprise on the invoice.',
  'The best moment to offer a bigger plan is the moment in which the smaller one did its work.',
]

export async function complete(
  question: string,
  model: ModelName,
): Promise<{ text: string; tokens: number }> {
  const first = question.length % thoughts.length
  const count = model === 'large' ? 5 : 3
  const chosen = Array.from({ length: count }, (_, index) => thoughts[(first + index) % thoughts.length])
  const text = `You ask “${question.slice(0, 80)}”. ${chosen.join(' ')}`
  // A large model is dearer by the token, too.
  return { text, tokens: (countTokens(question) + countTokens(text)) * (model === 'large' ? 4 : 1) }
}
