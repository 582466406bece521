// Who acts, and when: operations take it instead of looking for a key or a clock.
import type { Environment } from './environment.ts'

export type Caller = {
  environment: Environment
  /** A key, a person or the service itself, as the audit log names it. */
  actor: string
  /** Business time: the environment's clock, which may be frozen. */
  now: number
  requestId: string | undefined
  /** The catalogue is at least this new for this caller. */
  catalogueRevision: number
  /** Of the customer a read asks about, when the route names one. */
  customerUid?: string | undefined
  /** Of the customer a read asks about; undefined when there is none, or the route names none. */
  customerRevision?: number | undefined
}
