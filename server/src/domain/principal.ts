// Who acts, in one environment: a key, a person or the service itself.
import type { Environment } from './environment.ts'

export type Scope = 'full' | 'read'

export type Principal = {
  environment: Environment
  /** As the log of changes names it. */
  actor: string
  scope: Scope
  requestId: string | undefined
}

/** The service itself, for what no request asked for. */
export const servicePrincipal = (environment: Environment, actor: string): Principal => ({
  environment,
  actor,
  scope: 'full',
  requestId: undefined,
})
