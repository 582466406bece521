// tollkeeper pull: writes a declaration file with the catalogue's keys, which holds calls of the SDK to them at compile time.
import { readFile, rename, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { PullError } from './pull-error.ts'
import { showPath } from './show-path.ts'
import { UsageError } from './usage-error.ts'

type Feature = { featureKey: string; name: string; type: string; tracksUsage: boolean; isArchived: boolean }
type Product = { key: string; name: string; type: string }
export type PulledCatalogue = { features: Feature[]; products: Product[] }

const options = {
  url: { type: 'string', default: 'http://localhost:4100' },
  out: { type: 'string', default: 'tollkeeper.d.ts' },
  check: { type: 'boolean', default: false },
} as const

export async function pullCommand(
  variables: Record<string, string | undefined>,
  words: string[],
): Promise<void> {
  const { url, out, check } = parse(words)
  // Not on the command line, where every user of the machine could read it.
  const apiKey = variables.TOLLKEEPER_API_KEY
  if (!apiKey) throw new UsageError('pull needs a key in TOLLKEEPER_API_KEY; one of scope read will do.')
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new UsageError('--url must be an http address.')
  const text = writeDeclarations({
    features: await readAll<Feature>(url, apiKey, 'features', '&includeArchived=true'),
    products: await readAll<Product>(url, apiKey, 'products', ''),
  })
  const path = resolve(out)
  const before = await readFile(path, 'utf8').catch(() => undefined)
  if (before === text) process.stdout.write(`${showPath(path)} is current.\n`)
  else if (check) throw new PullError(`${showPath(path)} is not current: run tollkeeper pull.`)
  else {
    // Renamed into place: a compiler that watches the file never reads half of it.
    await writeFile(`${path}.next`, text)
    await rename(`${path}.next`, path)
    process.stdout.write(`Wrote ${showPath(path)}.\n`)
  }
}

function parse(words: string[]) {
  try {
    return parseArgs({ args: words, options }).values
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

async function readAll<Item>(url: string, apiKey: string, noun: string, query: string): Promise<Item[]> {
  const items: Item[] = []
  let cursor = ''
  do {
    const address = `${url.replace(/\/+$/, '')}/v1/${noun}?limit=100${query}${cursor}`
    const response = await fetch(address, {
      headers: { 'x-api-key': apiKey },
      redirect: 'error',
      signal: AbortSignal.timeout(10_000),
    }).catch((error: Error) => {
      throw new PullError(`${url} cannot be reached: ${error.message}.`)
    })
    const body = (await response.json().catch(() => ({}))) as Record<string, unknown>
    if (!response.ok)
      throw new PullError(`${url} answered ${response.status}: ${body.error ?? 'no reason given'}`)
    const page = body[noun]
    if (!Array.isArray(page)) throw new PullError(`${url} did not answer as Tollkeeper does.`)
    items.push(...page)
    cursor = typeof body.nextCursor === 'string' ? `&cursor=${encodeURIComponent(body.nextCursor)}` : ''
  } while (cursor !== '')
  return items
}

/** In the order of their keys, so that a change shows as one line. */
export function writeDeclarations({ features, products }: PulledCatalogue): string {
  const featureLines = features
    .toSorted((a, b) => (a.featureKey < b.featureKey ? -1 : 1))
    .map(({ featureKey, name, type, tracksUsage, isArchived }) =>
      describe(featureKey, name, isArchived, `type: '${type}'; tracksUsage: ${tracksUsage}`),
    )
  const productLines = products
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ key, name, type }) => describe(key, name, false, `type: '${type}'`))
  return `// Written by \`tollkeeper pull\`: run it again when features or products change.
import '@tollkeeper/sdk'

declare module '@tollkeeper/sdk' {
  interface FeatureKeys {
${featureLines.join('')}  }
  interface ProductKeys {
${productLines.join('')}  }
}
`
}

function describe(key: string, name: string, isArchived: boolean, members: string): string {
  const comment = name.replaceAll('*/', '*\\/')
  return `    /** ${comment}${isArchived ? ' @deprecated archived' : ''} */\n    '${key}': { ${members} }\n`
}
