// The rules of the house that a machine can hold, over the text of every file; each is shown to find a planted violation.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { describe, it } from 'node:test'

type File = { path: string; text: string }

type Rule = {
  name: string
  /** Where it holds. */
  of: RegExp
  except?: RegExp
  /** What is wrong with the file, if anything. */
  find(file: File): string | undefined
  planted: File[]
}

const root = join(import.meta.dirname, '../..')
const source = /^[\w-]+\/src\/.*\.tsx?$/
const tests = /^[\w-]+\/test\/.*\.ts$/
const code = /^(server|simulator|embedded-postgres|scripts|sdk|dashboard|examples)\/.*\.(ts|tsx|mjs|sql)$/

/** Rules that a word or form may not occur. Comments are left out: they may speak of what the code may not do. */
function forbid(name: string, of: RegExp, pattern: RegExp, planted: File, except?: RegExp): Rule {
  const find = ({ text }: File) => pattern.exec(withoutComments(text))?.[0]
  return { name, of, find, planted: [planted], ...(except ? { except } : {}) }
}

const withoutComments = (text: string) => text.replaceAll(/^\s*(\/\/|\/?\*).*$/gm, '')

// Folder by folder; `pg` and `stripe` are the packages that only one folder may know.
const mayImport: [folder: RegExp, allowed: RegExp][] = [
  [/^domain\//, /^domain\//],
  // The simulator takes its store through an interface of its own, and this is where one is built.
  [/^storage\/simulator\//, /^(domain\/|storage\/|@tollkeeper\/simulator\/src\/store\/store\.ts$)/],
  [/^telemetry\//, /^(telemetry\/|node:)/],
  [/^storage\//, /^(domain\/|storage\/|telemetry\/|pg$|node:)/],
  [/^provider\//, /^(domain\/|provider\/|telemetry\/|stripe$|node:)/],
  [/^operations\//, /^(domain\/|storage\/|operations\/|telemetry\/|provider\/provider\.ts$|node:)/],
  // The way back from a checkout tells the provider's failures from others.
  [/^http\/provider-routes\.ts$/, /^(domain\/|operations\/|http\/|provider\/provider\.ts$|fastify$)/],
  // Whoever authenticates asks for admission, and health looks at the schema.
  [/^http\/(authenticate|health)\.ts$/, /^(domain\/|operations\/|http\/|storage\/|fastify$|node:)/],
  // The guide is Markdown.
  [/^http\/guide\//, /^(http\/|marked$|fastify$|node:)/],
  [/^http\//, /^(domain\/|operations\/|http\/|telemetry\/|fastify$|zod$|node:)/],
  [/^simulator\//, /^(simulator\/|zod$|node:)/],
  [/^embedded-postgres\//, /^(embedded-postgres\/|pg$|node:)/],
  // The fake runs the service's own rules; everything else that users install knows nothing of the service.
  [/^sdk\/src\/fake\//, /^(sdk\/src\/|server\/src\/domain\/)/],
  [/^sdk\/src\/(node\.ts$|spool\/)/, /^(sdk\/src\/|node:)/],
  [/^sdk\/src\/(react\.ts$|react\/)/, /^(sdk\/src\/|react$)/],
  [/^sdk\/src\//, /^sdk\/src\//],
  // An example is what a user of the packages could have written.
  [/^examples\//, /^(examples\/|@tollkeeper\/sdk(\/react)?$|react$|react-dom\/client$|esbuild$|node:)/],
  // The dashboard knows the service by its API alone; of the SDK it takes the types of the routes.
  [
    /^dashboard\/src\//,
    /^(dashboard\/src\/|@tollkeeper\/sdk\/src\/generated\/api\.ts$|react$|react-dom\/client$|wouter$|@mantine\/|@tabler\/icons-react$|@tanstack\/react-query$)/,
  ],
]

function findImport({ path, text }: File): string | undefined {
  // A workspace of its own imports nothing of ours: its files are known by the workspace's name.
  const place = path.startsWith('server/src/') ? relative('server/src', path) : path
  const allowed = mayImport.find(([folder]) => folder.test(place))?.[1]
  const targets = [...text.matchAll(/^(?:import|export)[^'";]*?from '([^']+)'|import\('([^']+)'\)/gms)]
  return targets
    .map((match) => (match[1] ?? match[2]) as string)
    .map((name) => (name.startsWith('.') ? join(dirname(place), name) : name))
    .find((target) => allowed && !allowed.test(target))
}

const plantImport = (path: string, target: string): File => ({
  path: /\/src\/|^examples\//.test(path) ? path : `server/src/${path}`,
  text: `// A sentence.\nimport { x } from '${target}'\n`,
})
const plant = (path: string, text: string): File => ({ path, text })
// Written in two parts, so that this file does not break its own rules.
const later = `TO${'DO'}`

// Where an account is chosen, its adapter built and the simulator of it run; and pages, which say to people what to set.
const knowsProvider =
  /^server\/src\/(provider\/stripe\/|(providers|service|config|cli\/(?:start|doctor))\.ts$)|^simulator\/|^dashboard\/src\/pages\//
// Its statuses, parameters, forms and kinds of key. The specification's own `payment_method_update` is no word of its.
const providersWords = new RegExp(
  [
    /['"`](trialing|past_due|canceled|incomplete|incomplete_expired|unpaid|paused)['"`]/,
    /\b(line_items|ui_mode|subscription_data|payment_intent_data|starting_after)\b/,
    /\b(customer_email|flow_data|billing_cycle_anchor|default_price|unit_amount_decimal|cancel_at_period_end)\b/,
    /\b(sk|rk|pk|whsec|cus|sub|prod|price|cs)_(?=['"`$\\[(])|\b(sk|rk)_(test|live)|\bwhsec_/,
    /\w\[\w+\]['"`]|\bURLSearchParams\(/,
  ]
    .map(({ source: pattern }) => pattern)
    .join('|'),
)

const rules: Rule[] = [
  {
    name: 'folders import only what they may',
    of: /^([\w-]+\/src|examples)\/.*\.tsx?$/,
    find: findImport,
    planted: [
      plantImport('domain/x.ts', '../storage/database.ts'),
      plantImport('domain/x.ts', 'node:crypto'),
      plantImport('storage/x.ts', '../operations/services.ts'),
      plantImport('telemetry/x.ts', '../storage/database.ts'),
      plantImport('provider/stripe/x.ts', '../../storage/database.ts'),
      plantImport('storage/x.ts', '@tollkeeper/simulator/src/simulator.ts'),
      plantImport('simulator/src/x.ts', '../../server/src/domain/errors.ts'),
      plantImport('simulator/src/api/x.ts', 'stripe'),
      plantImport('operations/x.ts', '../provider/stripe/provider.ts'),
      plantImport('operations/x.ts', '../http/errors.ts'),
      plantImport('operations/x.ts', 'pg'),
      plantImport('http/routes/x.ts', '../../provider/provider.ts'),
      plantImport('http/x.ts', '../service.ts'),
      plantImport('http/x.ts', 'marked'),
      plantImport('http/guide/x.ts', '../../operations/services.ts'),
      plantImport('embedded-postgres/src/x.ts', '../../server/src/domain/errors.ts'),
      plantImport('embedded-postgres/src/x.ts', '@tollkeeper/server'),
      plantImport('sdk/src/x.ts', '../../server/src/domain/errors.ts'),
      plantImport('sdk/src/x.ts', 'node:fs'),
      plantImport('sdk/src/fake/x.ts', '../../../server/src/storage/database.ts'),
      plantImport('sdk/src/react/x.ts', 'react-dom'),
      plantImport('dashboard/src/x.tsx', '../../server/src/domain/errors.ts'),
      plantImport('dashboard/src/x.tsx', '@tollkeeper/sdk/src/client.ts'),
      plantImport('dashboard/src/x.tsx', 'node:fs'),
      plantImport('examples/chat/x.ts', '@tollkeeper/sdk/src/client.ts'),
    ],
  },
  forbid(
    'SQL lives in storage',
    source,
    /[`'"]\s*(select\s|insert into\s|update \w+\s+set\s|delete from\s)/,
    plant('server/src/operations/x.ts', 'await sql.query(`\n  select 1`)'),
    // Makes the database that storage's tables will be in.
    /^(server\/src\/storage\/|embedded-postgres\/src\/embedded-postgres\.ts$)/,
  ),
  forbid(
    'SQL is in lower case',
    /^server\/(src\/storage\/.*\.ts|migrations\/.*\.sql)$/,
    /\b(SELECT|INSERT INTO|DELETE FROM|WHERE|CREATE TABLE|NOT NULL|PRIMARY KEY)\b/,
    plant('server/migrations/1.sql', 'CREATE TABLE x ()'),
  ),
  forbid(
    'the environment is read where the program begins',
    source,
    /process\.env\b/,
    plant('server/src/http/x.ts', 'const port = process.env.PORT'),
    /^server\/src\/(main|config|cli\/tollkeeper)\.ts$|^embedded-postgres\/src\//,
  ),
  forbid(
    'Temporal lives in domain/access/period.ts',
    source,
    /\bTemporal\./,
    plant('server/src/domain/usage.ts', 'Temporal.Now.instant()'),
    /^server\/src\/domain\/access\/period\.ts$/,
  ),
  forbid(
    'the domain has no clock, no chance and no waiting',
    /^server\/src\/domain\//,
    /\bDate\.now\b|new Date\(\)|\bMath\.random\b|\bawait\b|\basync\b/,
    plant('server/src/domain/x.ts', 'const now = Date.now()'),
  ),
  forbid(
    'the provider has no name outside its folder',
    source,
    /stripe/i,
    plant('server/src/operations/x.ts', 'const stripeCustomerId = 1'),
    knowsProvider,
  ),
  {
    name: 'the words of the provider stay in its folder',
    of: /^server\/(src\/.*\.ts|migrations\/.*\.sql)$/,
    // What the dashboard calls a payment that failed is what everybody calls it.
    except:
      /^server\/src\/(provider\/stripe\/|http\/dashboard\/statistics\/get-overview\.ts$)|^server\/migrations\/0008-/,
    find: ({ text }) => providersWords.exec(withoutComments(text))?.[0],
    planted: [
      plant('server/src/domain/x.ts', "if (status === 'past_due') return"),
      plant('server/src/domain/x.ts', "const reserved = ['line_items']"),
      plant('server/src/service.ts', 'const key = "sk_" + environment'),
      plant('server/src/config.ts', '/^whsec_/.test(text)'),
      plant('server/src/http/x.ts', "form['recurring[interval]'] = 'month'"),
      plant('server/src/operations/x.ts', 'body: new URLSearchParams(form)'),
      plant('server/migrations/1.sql', "check (status in ('trialing'))"),
    ],
  },
  {
    name: 'a route calls the operation of its own noun and verb',
    of: /^server\/src\/http\/(api\/|dashboard\/[\w-]+\/)/,
    // Many events are recorded one by one; what changes a key shares its lock and its log.
    except: /\/record-usage-batch\.ts$|\/keys\/(create|rotate|revoke)-api-key\.ts$/,
    find: ({ path, text }) => {
      const own = path.split('/').slice(-2).join('/')
      const called = [...text.matchAll(/'(?:\.\.\/)+operations\/([\w-]+\/[\w-]+\.ts)'/g)].map(
        (match) => match[1],
      )
      return called.length === 0 || called.includes(own) ? undefined : called.join(', ')
    },
    planted: [
      plantImport('http/api/usage/record-usage.ts', '../../../operations/usage/write-usage.ts'),
      plantImport('http/dashboard/people/sign-in.ts', '../../../operations/people/session.ts'),
    ],
  },
  {
    name: 'a route’s operation id is the name of its file',
    of: /^server\/src\/http\/api\//,
    find: ({ path, text }) => {
      const stem = basename(path, '.ts').replaceAll(/-(\w)/g, (_all, letter: string) => letter.toUpperCase())
      return text.includes(`  operationId: '${stem}',\n`) ? undefined : `operationId: '${stem}' is missing`
    },
    planted: [plant('server/src/http/api/usage/record-usage.ts', "  operationId: 'postUsage',\n")],
  },
  {
    name: 'files are named after what is in them',
    of: code,
    find: ({ path }) => /^(utils?|helpers?|common|types|misc|shared|index)\b|V\d/.exec(basename(path))?.[0],
    planted: [plant('server/src/http/utils.ts', '// A sentence.'), plant('server/src/domain/usageV2.ts', '')],
  },
  forbid(
    'no default exports',
    code,
    /^export default\b|\bas default\b/m,
    plant('server/src/x.ts', 'export default 1'),
  ),
  forbid(
    'no barrel files',
    code,
    /^export (\*|\{[^}]*\}) from/m,
    plant('server/src/x.ts', "export * from './y.ts'"),
    // What a package exports is listed in its entries.
    /^sdk\/src\/(sdk|node|react|testing)\.ts$/,
  ),
  forbid('no enums', code, /^(export )?(const )?enum /m, plant('server/src/x.ts', 'export enum X {}')),
  forbid(
    'classes are errors',
    source,
    /^\s*(export )?(abstract )?class (?!\w+ extends (\w*Error)\b).*$/m,
    plant('server/src/operations/x.ts', 'export class UsageManager {}'),
    // React catches the errors of what it draws only in a class.
    /^(sdk\/src\/client\.ts|dashboard\/src\/frame\/error-boundary\.tsx)$/,
  ),
  {
    name: 'a source file has at most 300 lines',
    of: source,
    except: /^(sdk\/src\/generated\/|dashboard\/src\/api\/generated\.ts$)/,
    find: ({ text }) => (text.split('\n').length > 301 ? `${text.split('\n').length} lines` : undefined),
    planted: [plant('server/src/x.ts', 'x\n'.repeat(302))],
  },
  {
    name: 'a file opens by saying what lives in it',
    of: /^([\w-]+\/(src|test|bench)|examples)\/.*\.tsx?$/,
    find: ({ text }) => (/^(#!.*\n)?\/\/ \S.{10,}/.test(text) ? undefined : text.split('\n')[0]),
    planted: [
      plant('server/src/x.ts', "import x from 'y'"),
      plant('server/src/x.ts', '//\n'),
      plant('dashboard/src/x.tsx', 'export {}'),
      plant('examples/chat/x.tsx', 'export {}'),
    ],
  },
  {
    name: 'nothing is left for later',
    of: /\.(ts|tsx|mjs|sql|md|json)$/,
    find: ({ text }) => new RegExp(`\\b(${later}|FIX${'ME'}|XX${'X'})\\b`).exec(text)?.[0],
    planted: [plant('server/src/x.ts', `// ${later}: write this.`)],
  },
  forbid(
    'no test is skipped or runs alone',
    tests,
    // A test may leave itself, with a reason, where the platform has not got what it needs.
    /(?<!return )\b(it|test|describe|suite)\.(skip|only|todo)\b|\b(skip|only|todo): true/,
    plant('server/test/x.test.ts', `it.${'only'}('x')`),
  ),
  forbid(
    'the lockfile names no registry',
    /^package-lock\.json$|(^|\/)\.npmrc$/,
    /"resolved": "http|^\s*registry\s*=|:\/\/registry\./m,
    plant('package-lock.json', '"resolved": "https://packages.example/x"'),
  ),
]

const importsOf = ({ path, text }: File): string[] =>
  [...text.matchAll(/^(?:import|export)[^'";]*?from '(\.[^']+)'/gms)].map((match) =>
    join(dirname(path), match[1] as string),
  )

/** Files that import one another, by way of others or directly; types count, since they tie files together as well. */
function findCircle(files: File[]): string[] | undefined {
  const imports = new Map(files.map((file) => [file.path, importsOf(file)]))
  const done = new Set<string>()
  const visit = (path: string, way: string[]): string[] | undefined => {
    if (way.includes(path)) return [...way.slice(way.indexOf(path)), path]
    if (done.has(path)) return undefined
    for (const next of imports.get(path) ?? []) {
      const circle = visit(next, [...way, path])
      if (circle !== undefined) return circle
    }
    done.add(path)
    return undefined
  }
  return files.map(({ path }) => visit(path, [])).find((circle) => circle !== undefined)
}

const isOf = (rule: Rule, { path }: File) => rule.of.test(path) && !rule.except?.test(path)

function readFiles(): File[] {
  const patterns = [
    '{server,simulator,embedded-postgres,scripts,sdk,dashboard,examples}/**/*.{ts,tsx,mjs,sql}',
    '*.{md,json}',
    'docs/**/*.md',
    '.npmrc',
  ]
  const paths = globSync(patterns, { cwd: root, exclude: ['**/node_modules/**', '**/dist/**'] })
  return paths.map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

const files = readFiles()

/** Functions and values that are exported and that no other file names. */
function findUnused(all: File[]): string[] {
  return all
    .filter(({ path }) => /^(server|simulator|embedded-postgres|dashboard)\/src\//.test(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(/^export (?:async )?(?:const|function|class) (\w+)/gm)].flatMap((match) => {
        const name = new RegExp(`\\b${match[1]}\\b`)
        return all.some((other) => other.path !== path && name.test(other.text))
          ? []
          : [`${path}: ${match[1]}`]
      }),
    )
}

describe('tidy', () => {
  it('looks at the whole project', () => {
    assert.ok(files.length > 100)
    assert.ok(files.some(({ path }) => path === 'package-lock.json'))
  })

  it('what is exported is used elsewhere', () => {
    assert.deepEqual(findUnused(files), [])
    const planted = [
      plant('server/src/a.ts', 'export const lonely = 1'),
      plant('server/src/b.ts', '// nobody'),
    ]
    assert.deepEqual(findUnused(planted), ['server/src/a.ts: lonely'])
  })

  it('no files import one another in a circle', () => {
    assert.equal(findCircle(files.filter(({ path }) => source.test(path)))?.join(' → '), undefined)
  })

  it('no files import one another in a circle: a violation is found', () => {
    const planted = [
      plant('server/src/a.ts', "import type { B } from './b.ts'"),
      plant('server/src/b.ts', "import { c } from './c/c.ts'"),
      plant('server/src/c/c.ts', "import { a } from '../a.ts'"),
    ]
    assert.equal(findCircle(planted)?.length, 4)
  })

  for (const rule of rules) {
    it(`${rule.name}`, () => {
      const broken = files
        .filter((file) => isOf(rule, file))
        .flatMap((file) => {
          const found = rule.find(file)
          return found === undefined ? [] : [`${file.path}: ${found.trim()}`]
        })
      assert.deepEqual(broken, [])
    })

    it(`${rule.name}: a violation is found`, () => {
      for (const file of rule.planted) assert.ok(isOf(rule, file) && rule.find(file), JSON.stringify(file))
    })
  }
})
