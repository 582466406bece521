// Rows of people. Whatever depends on how many admins there are is decided under one lock for all people.
import type { Person, Role } from '../../domain/people/role.ts'
import type { Sql } from '../database.ts'

export type StoredPerson = Person & {
  /** Null while invited. */
  passwordHash: string | null
  createdAt: number
  lastSeenAt: number | null
}

type Row = {
  person_id: string
  email: string
  name: string | null
  role: Role
  password_hash: string | null
  created_at: number
  last_seen_at: number | null
}

const columns = 'person_id, email, name, role, password_hash, created_at, last_seen_at'

const fromRow = (row: Row): StoredPerson => ({
  personId: row.person_id,
  email: row.email,
  name: row.name,
  role: row.role,
  passwordHash: row.password_hash,
  createdAt: row.created_at,
  lastSeenAt: row.last_seen_at,
})

/** To the end of the transaction nobody else makes, changes or removes a person, on any instance. */
export async function lockPeople(sql: Sql): Promise<void> {
  await sql.query(`select pg_advisory_xact_lock(4712, 0)`)
}

/** At most a thousand: more than any installation will see. */
export async function listPeople(sql: Sql): Promise<StoredPerson[]> {
  const { rows } = await sql.query<Row>(
    `select ${columns} from person order by created_at, person_id limit 1000`,
  )
  return rows.map(fromRow)
}

export async function hasPeople(sql: Sql): Promise<boolean> {
  const { rows } = await sql.query<{ found: boolean }>(`select exists (select from person) as found`)
  return rows[0]?.found === true
}

export async function findPersonByEmail(sql: Sql, email: string): Promise<StoredPerson | undefined> {
  const { rows } = await sql.query<Row>(`select ${columns} from person where email = $1`, [email])
  return rows[0] && fromRow(rows[0])
}

export async function findPerson(sql: Sql, personId: string): Promise<StoredPerson | undefined> {
  const { rows } = await sql.query<Row>(`select ${columns} from person where person_id = $1`, [personId])
  return rows[0] && fromRow(rows[0])
}

/** Admins who can sign in. */
export async function countAdmins(sql: Sql): Promise<number> {
  const { rows } = await sql.query<{ count: number }>(
    `select count(*) as count from person where role = 'admin' and password_hash is not null`,
  )
  return rows[0]?.count ?? 0
}

export async function insertPerson(sql: Sql, person: StoredPerson): Promise<void> {
  await sql.query(
    `insert into person (person_id, email, name, role, password_hash, created_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [person.personId, person.email, person.name, person.role, person.passwordHash, person.createdAt],
  )
}

export async function updatePersonRole(sql: Sql, personId: string, role: Role): Promise<void> {
  await sql.query(`update person set role = $2 where person_id = $1`, [personId, role])
}

export async function updatePersonPassword(
  sql: Sql,
  personId: string,
  { passwordHash, name }: { passwordHash: string; name: string | null },
): Promise<void> {
  await sql.query(`update person set password_hash = $2, name = $3 where person_id = $1`, [
    personId,
    passwordHash,
    name,
  ])
}

/** Sessions and links go with it. */
export async function deletePerson(sql: Sql, personId: string): Promise<void> {
  await sql.query(`delete from person where person_id = $1`, [personId])
}
