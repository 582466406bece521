// What the configuration says of a Stripe account: the variables' names, and what a key tells of itself. Apart from the adapter, so
// that reading the configuration does not load the SDK.
import type { Environment } from '../../domain/environment.ts'
import type { ProviderKeys } from '../provider.ts'

/** The variable that connects an environment to an account. */
export const secretKeyVariable = (environment: Environment) =>
  `STRIPE_${environment.toUpperCase()}_SECRET_KEY`
const webhookSecretVariable = (environment: Environment) =>
  `STRIPE_${environment.toUpperCase()}_WEBHOOK_SECRET`

/** The mode a key belongs to; undefined for anything that is not a secret or restricted key. */
export const keyMode = (secretKey: string) =>
  /^(?:sk|rk)_(test|live)_\w+$/.exec(secretKey)?.[1] as Environment | undefined

/** An environment's keys, undefined without any; what is wrong with them is added to the mistakes. */
export function readProviderKeys(
  environment: Environment,
  read: (name: string) => string | undefined,
  mistakes: string[],
): ProviderKeys | undefined {
  const keyName = secretKeyVariable(environment)
  const secretKey = read(keyName)
  const webhookSecret = read(webhookSecretVariable(environment))
  if (secretKey === undefined) {
    if (webhookSecret) mistakes.push(`${webhookSecretVariable(environment)} is set without ${keyName}.`)
    return undefined
  }
  const mode = keyMode(secretKey)
  if (mode === undefined) mistakes.push(`${keyName} is not a Stripe secret or restricted key.`)
  else if (mode !== environment)
    mistakes.push(`${keyName} is a ${mode} key, but must be a ${environment} key.`)
  return { secretKey, webhookSecret }
}
