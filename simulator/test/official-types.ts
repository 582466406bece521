// Holds recorded requests and answers against the declarations of Stripe's own library: each becomes a line of TypeScript that
// must satisfy its official type, and the compiler says which do not.
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** `type` is an expression like `Stripe.Customer`; of a wire form all values are text, as in a form. */
export type Claim = { name: string; type: string; value: unknown; isWire?: boolean }

const find = (specifier: string) => fileURLToPath(import.meta.resolve(specifier))

/**
 * Two lines of the declarations are replaced in a passing copy. They let any text stand where an enumeration is meant, so that
 * future values do not break callers; here only known values will do. And their decimals are objects that the library makes:
 * on the wire they are text.
 */
function copyDeclarations(folder: string): void {
  const source = dirname(find('stripe'))
  cpSync(source, folder, { recursive: true, filter: (path) => !/\.(js|map)$/.test(extname(path)) })
  const replace = (file: string, pattern: RegExp, text: string) => {
    const path = join(folder, file)
    const before = readFileSync(path, 'utf8')
    const after = before.replace(pattern, text)
    if (after === before) throw new Error(`${file} is not written as it was: look at ${pattern} again.`)
    writeFileSync(path, after)
  }
  replace('shared.d.ts', /export type OtherString = .*;/, 'export type OtherString = never;')
  replace('Decimal.d.ts', /export type Decimal = [^}]*};/, 'export type Decimal = string;')
}

const prelude = `import type { Stripe } from './stripe/stripe.esm.node.js'
type Wire<T> = T extends string ? T : T extends number ? \`\${number}\` : T extends boolean ? \`\${T}\`
  : T extends (infer U)[] ? { [index: \`\${number}\`]: Wire<U> } : T extends object ? { [K in keyof T]: Wire<T[K]> } : T
`

const options = {
  target: 'esnext',
  module: 'nodenext',
  lib: ['esnext'],
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  types: ['node'],
  typeRoots: [join(dirname(find('@types/node/package.json')), '..')],
}

/** What the compiler says against the claims, by their names; nothing when all of them hold. */
export async function findTypeErrors(claims: Claim[]): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tollkeeper-types-'))
  try {
    copyDeclarations(join(folder, 'stripe'))
    const lines = claims.map(({ type, value, isWire }) => {
      const wanted = isWire ? `Wire<${type}>` : type
      return `void (${JSON.stringify(value)} satisfies ${wanted})`
    })
    writeFileSync(join(folder, 'claims.ts'), `${prelude}${lines.join('\n')}\n`)
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: options, files: ['claims.ts'] }),
    )
    return readErrors(await compile(folder), claims)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function compile(folder: string): Promise<string> {
  const compiler = join(dirname(find('typescript/package.json')), 'bin/tsc')
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [compiler, '-p', folder, '--pretty', 'false'],
      { maxBuffer: 64_000_000 },
      (_error, stdout, stderr) => resolve(stdout + stderr),
    )
  })
}

function readErrors(output: string, claims: Claim[]): string[] {
  const offset = prelude.split('\n').length
  const errors: string[] = []
  for (const line of output.split('\n')) {
    const match = /claims\.ts\((\d+),\d+\): error (.*)$/.exec(line)
    if (match !== null) errors.push(`${claims[Number(match[1]) - offset]?.name}: ${match[2]}`)
    else if (line.startsWith('  ') && errors.length > 0) errors.push(`${errors.pop()}\n${line}`)
    else if (line.trim() !== '') errors.push(line)
  }
  return errors
}
