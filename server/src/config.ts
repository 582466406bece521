// The only reader of the environment: every variable is optional, and every mistake is reported at once.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { StartError } from '@tollkeeper/embedded-postgres/start-error'
import type { Environment } from './domain/environment.ts'
import { findPasswordFault, toEmail } from './domain/people/role.ts'
import type { RateLimits } from './domain/rate-limit.ts'
import type { ConfiguredAdmin } from './operations/people/ensure-admin.ts'
import type { ProviderKeys } from './provider/provider.ts'
import { readProviderKeys, secretKeyVariable } from './provider/stripe/settings.ts'

export type Config = {
  port: number
  host: string
  /** Without a slash at its end; undefined is localhost at the port. */
  publicUrl: string | undefined
  databaseUrl: string | undefined
  dataDir: string
  /** Where the simulator speaks its protocol; 0 is any free port. */
  simulatorPort: number
  simulateLive: boolean
  /** What keys of our own making are derived from; undefined: made in the data folder, or for this process only. */
  secret: string | undefined
  providerKeys: Record<Environment, ProviderKeys | undefined>
  apiKeys: Record<Environment, string | undefined>
  /** The admin of the dashboard who is there from the first start on. */
  admin: ConfiguredAdmin | undefined
  demo: boolean
  limits: RateLimits
  /** What reads the metrics from elsewhere; without one they are for this machine alone. */
  metricsToken: string | undefined
  logLevel: string
}

type Variables = Record<string, string | undefined>

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

export function readConfig(variables: Variables): Config {
  const mistakes: string[] = []
  const read = (name: string) => readVariable(variables, name, mistakes)
  const whole = (name: string, fallback: number, most: number) => {
    const text = read(name)
    if (text === undefined) return fallback
    const value = Number(text)
    if (/^\d{1,9}$/.test(text) && value <= most) return value
    mistakes.push(`${name} must be a whole number from 0 to ${most}, but is ${JSON.stringify(text)}.`)
    return fallback
  }
  const port = whole('PORT', 4100, 65_535)
  const simulatorPort = whole('SIMULATOR_PORT', port === 0 ? 0 : port + 1, 65_535)
  const logLevel = read('LOG_LEVEL') ?? 'info'
  if (!logLevels.includes(logLevel)) {
    mistakes.push(`LOG_LEVEL must be one of ${logLevels.join(', ')}, but is ${JSON.stringify(logLevel)}.`)
  }
  const config: Config = {
    port,
    host: read('HOST') ?? '127.0.0.1',
    publicUrl: readUrl(read('PUBLIC_URL'), mistakes),
    databaseUrl: readDatabaseUrl(read('DATABASE_URL'), mistakes),
    dataDir: resolve(read('DATA_DIR') ?? '.tollkeeper'),
    providerKeys: {
      test: readProviderKeys('test', read, mistakes),
      live: readProviderKeys('live', read, mistakes),
    },
    apiKeys: { test: readApiKey('test', read, mistakes), live: readApiKey('live', read, mistakes) },
    admin: readAdmin(read, mistakes),
    simulatorPort,
    simulateLive: readSwitch('TOLLKEEPER_SIMULATE_LIVE', '0', read, mistakes),
    secret: readSecret(read, mistakes),
    demo: readSwitch('TOLLKEEPER_DEMO', '1', read, mistakes),
    limits: {
      all: whole('RATE_LIMIT_ALL', 1000, 100_000_000),
      write: whole('RATE_LIMIT_WRITE', 500, 100_000_000),
    },
    metricsToken: readMetricsToken(read, mistakes),
    logLevel,
  }
  if (simulatorPort > 65_535 || (simulatorPort === port && port !== 0)) {
    mistakes.push('SIMULATOR_PORT must be a port from 0 to 65535 and another than PORT.')
  }
  if (config.simulateLive && config.providerKeys.live) {
    mistakes.push(`TOLLKEEPER_SIMULATE_LIVE is set beside ${secretKeyVariable('live')}; keep one.`)
  }
  if (mistakes.length > 0) throw new StartError(mistakes.join('\n'))
  return config
}

/** A variable, or the contents of the file that its `_FILE` form names. An empty one counts as absent. */
function readVariable(variables: Variables, name: string, mistakes: string[]): string | undefined {
  const value = variables[name]
  const file = variables[`${name}_FILE`]
  if (value && file) mistakes.push(`${name} and ${name}_FILE are both set; keep one.`)
  if (!file) return value || undefined
  try {
    return readFileSync(file, 'utf8').trim() || undefined
  } catch (error) {
    mistakes.push(`${name}_FILE cannot be read: ${(error as Error).message}.`)
    return undefined
  }
}

type Read = (name: string) => string | undefined

function readUrl(text: string | undefined, mistakes: string[]): string | undefined {
  if (text === undefined) return undefined
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text.replace(/\/+$/, '')
  mistakes.push(`PUBLIC_URL must be an http or https address, but is ${JSON.stringify(text)}.`)
  return undefined
}

function readDatabaseUrl(text: string | undefined, mistakes: string[]): string | undefined {
  // The value is not repeated: it holds a password.
  if (text !== undefined && !(URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol))) {
    mistakes.push('DATABASE_URL must be like postgres://user:password@host:5432/database.')
  }
  return text
}

function readApiKey(environment: Environment, read: Read, mistakes: string[]): string | undefined {
  const name = `TOLLKEEPER_${environment.toUpperCase()}_API_KEY`
  const key = read(name)
  if (key !== undefined && !new RegExp(`^tk_${environment}_[A-Za-z0-9_-]{24,200}$`).test(key)) {
    mistakes.push(`${name} must be tk_${environment}_ and at least 24 letters, digits, _ or -.`)
  }
  return key
}

function readAdmin(read: Read, mistakes: string[]): ConfiguredAdmin | undefined {
  const [email, password] = [read('TOLLKEEPER_ADMIN_EMAIL'), read('TOLLKEEPER_ADMIN_PASSWORD')]
  if (email === undefined && password === undefined) return undefined
  if (email === undefined || password === undefined) {
    mistakes.push('TOLLKEEPER_ADMIN_EMAIL and TOLLKEEPER_ADMIN_PASSWORD go together; one is missing.')
    return undefined
  }
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) {
    mistakes.push(`TOLLKEEPER_ADMIN_EMAIL must be an email address, but is ${JSON.stringify(email)}.`)
  }
  const fault = findPasswordFault(password, toEmail(email))
  // The value is not repeated: it is a password.
  if (fault) mistakes.push(`TOLLKEEPER_ADMIN_PASSWORD ${fault}.`)
  return { email: toEmail(email), password }
}

function readSecret(read: Read, mistakes: string[]): string | undefined {
  const secret = read('TOLLKEEPER_SECRET')
  if (secret !== undefined && secret.length < 32) {
    mistakes.push('TOLLKEEPER_SECRET must be at least 32 characters long.')
  }
  return secret
}

function readMetricsToken(read: Read, mistakes: string[]): string | undefined {
  const token = read('METRICS_TOKEN')
  if (token !== undefined && !/^\S{16,500}$/.test(token)) {
    mistakes.push('METRICS_TOKEN must be 16 to 500 characters without blanks.')
  }
  return token
}

function readSwitch(name: string, fallback: '0' | '1', read: Read, mistakes: string[]): boolean {
  const text = read(name) ?? fallback
  if (text !== '0' && text !== '1') mistakes.push(`${name} must be 0 or 1, but is ${JSON.stringify(text)}.`)
  return text === '1'
}
