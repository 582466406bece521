// GET /dashboard/api/people
import { z } from 'zod'
import { listPeople } from '../../../operations/people/list-people.ts'
import { personSchema, toApiPerson } from '../../resources/person.ts'
import { definePersonRoute } from '../route.ts'

export const listPeopleRoute = definePersonRoute({
  method: 'GET',
  path: '/dashboard/api/people',
  access: 'admin',
  tag: 'People',
  summary: 'List everybody who may use the dashboard',
  responses: { 200: z.strictObject({ people: z.array(personSchema) }) },
  handle: async (_input, { database }) => ({
    body: { people: (await listPeople(database)).map(toApiPerson) },
  }),
})
