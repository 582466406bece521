// Turns a sentence in the palette into actions: each opens the customer's page with the form filled in, so that what will
// happen is seen before it does.
import { useLocation } from 'wouter'
import { useEnvironment } from '../api/environment.ts'
import { useGet } from '../api/queries.ts'
import { useMay } from '../api/session.ts'
import { formatAmount } from '../parts/format.ts'
import type { PaletteItem } from './palette-item.ts'
import { readSentence, type Sentence } from './word-sentence.ts'

const mostCustomers = 3

export function useWordActions(text: string): PaletteItem[] {
  const [, navigate] = useLocation()
  const environment = useEnvironment()
  const mayWrite = useMay()
  const sentence = readSentence(text)
  const isAsked = sentence !== undefined && mayWrite
  const customers = useGet(
    '/v1/customers',
    { query: { search: sentence?.customer ?? '', limit: mostCustomers } },
    { isEnabled: isAsked },
  )
  const subjects = useSubjects(sentence)
  if (!isAsked) return []
  return (customers.data?.customers ?? []).flatMap(({ customerId, name }) =>
    subjects.map((subject): PaletteItem => {
      const query = new URLSearchParams({ do: sentence.action })
      if (subject !== undefined)
        query.set(sentence.action === 'checkout' ? 'productKey' : 'featureKey', subject)
      if (sentence.amount !== undefined) query.set('amount', String(sentence.amount))
      return {
        key: `words ${customerId} ${subject}`,
        kind: 'Action',
        name: writeAction(sentence, customerId, subject),
        ...(name === undefined ? {} : { note: name }),
        run: () => navigate(`~/${environment}/customers/${encodeURIComponent(customerId)}?${query}`),
      }
    }),
  )
}

/** The features or products that the word may mean; one undefined where there is no word. */
function useSubjects(sentence: Sentence | undefined): (string | undefined)[] {
  const features = useGet('/v1/features', { query: { limit: 100 } }, { isEnabled: sentence !== undefined })
  const products = useGet('/v1/products', { query: { limit: 100 } }, { isEnabled: sentence !== undefined })
  if (sentence?.subject === undefined) return [undefined]
  const keys =
    sentence.action === 'checkout'
      ? products.data?.products.filter(({ type }) => type === 'provider').map(({ key }) => key)
      : features.data?.features.filter(({ tracksUsage }) => tracksUsage).map(({ featureKey }) => featureKey)
  const word = sentence.subject.toLowerCase()
  return (keys ?? []).filter((key) => key.toLowerCase().includes(word)).slice(0, mostCustomers)
}

function writeAction({ action, amount }: Sentence, customerId: string, subject = '…'): string {
  const many = amount === undefined ? '…' : formatAmount(amount)
  return {
    'give-bonus': `Give ${customerId} a bonus of ${many} ${subject}`,
    'record-usage': `Record ${many} ${subject} of ${customerId}`,
    'set-usage': `Set ${subject} of ${customerId} to ${many}`,
    checkout: `Make a checkout link for ${customerId}: ${subject}`,
  }[action]
}
