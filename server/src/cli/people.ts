// tollkeeper people list|invite|link|role|remove: for whoever is locked out, and for installations without a browser at hand.
import type { Config } from '../config.ts'
import { RequestError } from '../domain/errors.ts'
import { type Role, roles, toEmail } from '../domain/people/role.ts'
import { changeRole } from '../operations/people/change-role.ts'
import { invitePerson } from '../operations/people/invite-person.ts'
import { listPeople } from '../operations/people/list-people.ts'
import { type MadeLink, makeFirstLink, makeLink } from '../operations/people/make-link.ts'
import { removePerson } from '../operations/people/remove-person.ts'
import { type Database, openDatabase } from '../storage/database.ts'
import { migrate } from '../storage/migrate.ts'
import { findPersonByEmail, type StoredPerson } from '../storage/people/people.ts'
import { joinStorage } from './open-storage.ts'
import { UsageError } from './usage-error.ts'
import { readWords } from './words.ts'

const options = { role: { type: 'string' } } as const

type Work = (database: Database) => Promise<void>

export async function peopleCommand(config: Config, words: string[]): Promise<void> {
  const { positionals, values } = readWords(words, options, 2)
  const [verb, email] = positionals
  const work = findWork(config, verb, email, values.role)
  const storage = await joinStorage(config)
  try {
    await migrate(storage.connection)
    const database = openDatabase({ connection: storage.connection, poolSize: 1 })
    await work(database).finally(() => database.close())
  } finally {
    await storage.stop()
  }
}

/** The command line is checked whole before a database is opened. */
function findWork(
  config: Config,
  verb: string | undefined,
  email: string | undefined,
  role: string | undefined,
): Work {
  const acting = { actor: 'command line', now: Date.now() }
  if (verb === 'list') return printPeople
  if (verb === 'link' && email === undefined) return (database) => printFirstLink(config, database)
  if (!verb || !['invite', 'link', 'role', 'remove'].includes(verb))
    throw new UsageError('people needs one of list, invite, link, role, remove.')
  if (email === undefined || !/^[^\s@]+@[^\s@]+$/.test(email))
    throw new UsageError(`people ${verb} needs an email address.`)
  switch (verb) {
    case 'invite': {
      const wanted = toRole(role ?? 'member')
      return async (database) => {
        const { link } = await invitePerson(database, acting, { email, role: wanted })
        printLink(config, link)
      }
    }
    case 'role': {
      const wanted = toRole(role)
      return async (database) => {
        const { personId } = await getByEmail(database, email)
        await changeRole(database, acting, { personId, role: wanted })
      }
    }
    case 'remove':
      return async (database) => removePerson(database, acting, (await getByEmail(database, email)).personId)
    default:
      return async (database) => {
        const { personId } = await getByEmail(database, email)
        printLink(config, await makeLink(database, acting, personId))
      }
  }
}

function toRole(text: string | undefined): Role {
  const role = roles.find((each) => each === text)
  if (role === undefined) throw new UsageError(`--role must be one of ${roles.join(', ')}.`)
  return role
}

async function getByEmail(database: Database, email: string): Promise<StoredPerson> {
  const person = await findPersonByEmail(database.pool, toEmail(email))
  if (!person) throw new RequestError('missing', 'person_not_found', `There is no person ${email}.`)
  return person
}

async function printFirstLink(config: Config, database: Database): Promise<void> {
  const link = await makeFirstLink(database)
  if (!link) throw new UsageError('There are people already: say whose link it shall be.')
  printLink(config, link)
}

/** The address goes to the output alone, so that it can be passed on; what to know about it beside. */
function printLink(config: Config, { path, expiresAt }: MadeLink): void {
  const base = config.publicUrl ?? `http://localhost:${config.port}`
  process.stdout.write(`${base}${path}\n`)
  process.stderr.write(`It works once, until ${new Date(expiresAt).toISOString().slice(0, 16)} UTC.\n`)
}

async function printPeople(database: Database): Promise<void> {
  for (const { email, role, passwordHash, lastSeenAt, name } of await listPeople(database)) {
    const state = passwordHash === null ? 'invited' : 'active'
    const seen = lastSeenAt === null ? '-' : new Date(lastSeenAt).toISOString().slice(0, 16)
    const words = [email, role.padEnd(6), state.padEnd(7), `seen ${seen}`, name ?? '']
    process.stdout.write(`${words.join('  ').trimEnd()}\n`)
  }
}
