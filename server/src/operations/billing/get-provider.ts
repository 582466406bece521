// The payment provider of an environment, or the reason why there is none.
import { type Environment, environments } from '../../domain/environment.ts'
import { invalid } from '../../domain/errors.ts'
import type { Provider } from '../../provider/provider.ts'
import type { Services } from '../services.ts'

export function getProvider({ providers }: Services, environment: Environment): Provider {
  const provider = providers[environment]
  if (provider) return provider
  throw invalid(
    `No payment provider is configured for the ${environment} environment.`,
    'provider_not_configured',
  )
}

/** Those that work is done for: where there is no provider, nothing is told, fetched or closed. */
export const listProvided = ({ providers }: Pick<Services, 'providers'>): Environment[] =>
  environments.filter((environment) => providers[environment])
