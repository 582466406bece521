// The person who acts, as changes outside the ledger name whoever made them. Such things live in real time.
import { actorOf } from '../../domain/people/role.ts'
import type { PeopleActing } from '../../operations/people/acting.ts'
import type { SignedInVisitor } from './route.ts'

export const actingOf = ({ person, requestId }: SignedInVisitor): PeopleActing => ({
  actor: actorOf(person),
  now: Date.now(),
  requestId,
})
