// The person who acts, as changes of people and keys name whoever made them. Both live in real time.
import { actorOf, type Person } from '../../domain/people/role.ts'
import type { PeopleActing } from '../../operations/people/acting.ts'
import type { PersonContext, SignedInVisitor } from './route.ts'

export function actingOf(caller: SignedInVisitor | PersonContext): PeopleActing {
  const person: Person = caller.person
  const requestId = 'principal' in caller ? caller.principal.requestId : caller.requestId
  return { actor: actorOf(person), now: Date.now(), requestId }
}
