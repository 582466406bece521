// Everybody who may use the dashboard, invited or active.
import type { Database } from '../../storage/database.ts'
import { listPeople as listStored, type StoredPerson } from '../../storage/people/people.ts'

export const listPeople = (database: Database): Promise<StoredPerson[]> => listStored(database.pool)
