// tollkeeper pull: writes the catalogue's keys as declarations, which hold calls of the SDK to them, or the whole catalogue as
// a file for plan and push.
import { readFile, rename, writeFile } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { readRunning } from './catalogue/running.ts'
import { writeDefinition } from './catalogue/write-definition.ts'
import { CommandError } from './command-error.ts'
import { openRemote, type Variables } from './remote.ts'
import { showPath } from './show-path.ts'
import { UsageError } from './usage-error.ts'
import { readWords, remoteOptions } from './words.ts'

type Feature = { featureKey: string; name: string; type: string; tracksUsage: boolean; isArchived: boolean }
type Product = { key: string; name: string; type: string }
export type PulledCatalogue = { features: Feature[]; products: Product[] }

const options = {
  ...remoteOptions,
  out: { type: 'string' },
  check: { type: 'boolean', default: false },
  catalogue: { type: 'boolean', default: false },
  force: { type: 'boolean', default: false },
} as const

export async function pullCommand(variables: Variables, words: string[]): Promise<void> {
  const { url, out, check, catalogue, force } = readWords(words, options).values
  const remote = openRemote(variables, url)
  const path = resolve(out ?? (catalogue ? 'tollkeeper.catalogue.ts' : 'tollkeeper.d.ts'))
  const text = catalogue
    ? writeDefinition(await readRunning(remote), extname(path) === '.json')
    : writeDeclarations({
        features: await Array.fromAsync(remote.features.list({ includeArchived: true })),
        products: await Array.fromAsync(remote.products.list()),
      })
  const before = await readFile(path, 'utf8').catch(() => undefined)
  if (before === text) process.stdout.write(`${showPath(path)} is current.\n`)
  else if (check) throw new CommandError(`${showPath(path)} is not current: run tollkeeper pull.`)
  // Declarations are only ever written by this command; a catalogue is edited by people.
  else if (catalogue && before !== undefined && !force)
    throw new UsageError(`${showPath(path)} exists and differs; --force writes over it.`)
  else {
    // Renamed into place: a compiler that watches the file never reads half of it.
    await writeFile(`${path}.next`, text)
    await rename(`${path}.next`, path)
    process.stdout.write(`Wrote ${showPath(path)}.\n`)
  }
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
