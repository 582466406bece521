// tollkeeper import customers|usage|provider
import { extname } from 'node:path'
import { openRemote, type Variables } from '../remote.ts'
import { UsageError } from '../usage-error.ts'
import { readChoice, readWords, remoteOptions } from '../words.ts'
import { customerColumns, openCustomerSender } from './customers.ts'
import { fileNameOf, importFile } from './import-file.ts'
import { importFromProvider } from './provider.ts'
import type { Format } from './read-records.ts'
import { openUsageSender, usageColumns } from './usage.ts'

const options = {
  ...remoteOptions,
  format: { type: 'string' },
  'if-exists': { type: 'string', default: 'update' },
  restart: { type: 'boolean', default: false },
  'customer-id': { type: 'string' },
  products: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
} as const

export async function importCommand(variables: Variables, words: string[]): Promise<void> {
  const { values, positionals } = readWords(words, options, 2)
  const [noun, path] = positionals
  const { json, restart } = values
  if (noun === 'provider') {
    if (path !== undefined) throw new UsageError('import provider reads no file.')
    const from = readIdSource(values['customer-id'])
    await importFromProvider(openRemote(variables, values.url), { from, json, products: values.products })
    return
  }
  if (noun !== 'customers' && noun !== 'usage')
    throw new UsageError('import needs one of customers, usage, provider.')
  if (path === undefined) throw new UsageError(`import ${noun} needs a file.`)
  const format = readFormat(values.format, path)
  const ifExists = readChoice('if-exists', values['if-exists'], ['update', 'return', 'refuse'])
  const remote = openRemote(variables, values.url)
  const common = {
    path,
    format,
    restart,
    json,
    noun: noun === 'usage' ? 'events' : 'customers',
    batchSize: 100,
  }
  if (noun === 'customers')
    await importFile({ ...common, columns: customerColumns, send: openCustomerSender(remote, ifExists) })
  else await importFile({ ...common, columns: usageColumns, send: openUsageSender(remote, fileNameOf(path)) })
}

function readFormat(given: string | undefined, path: string): Format {
  if (given !== undefined) return readChoice('format', given, ['csv', 'ndjson'])
  const ending = extname(path)
  if (ending === '.csv') return 'csv'
  if (ending === '.ndjson' || ending === '.jsonl') return 'ndjson'
  throw new UsageError('--format csv or --format ndjson is needed: the name of the file does not tell.')
}

function readIdSource(text: string | undefined): string {
  if (text !== undefined && /^(provider-id|email|metadata\..+)$/.test(text)) return text
  throw new UsageError(
    'import provider needs --customer-id, which says where your id of a customer is: metadata.KEY, email or provider-id.',
  )
}
