// People and sessions as the dashboard's API shows them.
import { z } from 'zod'
import type { Environment } from '../../domain/environment.ts'
import { type Person, roles } from '../../domain/people/role.ts'
import { csrfTokenOf } from '../../operations/people/token.ts'
import type { Services } from '../../operations/services.ts'

export const role = z.enum(roles)

const personShape = {
  personId: z.string(),
  email: z.string(),
  name: z.string().nullable(),
  role,
}

export const personSchema = z
  .strictObject({
    ...personShape,
    state: z.enum(['active', 'invited']),
    createdAt: z.int(),
    lastSeenAt: z.int().nullable(),
  })
  .meta({ id: 'Person' })

type ListedPerson = Person & { passwordHash: string | null; createdAt: number; lastSeenAt: number | null }

export function toApiPerson(person: ListedPerson): z.output<typeof personSchema> {
  const { personId, email, name, role, passwordHash, createdAt, lastSeenAt } = person
  const state = passwordHash === null ? 'invited' : 'active'
  return { personId, email, name, role, state, createdAt, lastSeenAt }
}

const providerState = z.strictObject({
  provider: z.enum(['simulator', 'account', 'none']),
  simulatorUrl: z.string().nullable(),
})

export const sessionSchema = z
  .strictObject({
    person: z.strictObject({ ...personShape, name: z.string() }),
    csrfToken: z.string().meta({ description: 'Sent with every write as x-csrf-token' }),
    environments: z.strictObject({ test: providerState, live: providerState }),
    publicUrl: z.string(),
    version: z.string(),
  })
  .meta({ id: 'Session' })

export function toApiSession(
  { person, sessionToken }: { person: Person; sessionToken: string },
  { installation, publicUrl }: Services,
): z.output<typeof sessionSchema> {
  const { personId, email, name, role } = person
  const stateOf = (environment: Environment) => ({ ...installation.providers[environment] })
  return {
    person: { personId, email, name: name ?? email, role },
    csrfToken: csrfTokenOf(sessionToken),
    environments: { test: stateOf('test'), live: stateOf('live') },
    publicUrl: publicUrl(),
    version: installation.version,
  }
}
