// What a link is for, for the page that it opens; looking at it does not use it.
import { RequestError } from '../../domain/errors.ts'
import type { Database } from '../../storage/database.ts'
import { findLink, type PersonLink } from '../../storage/people/links.ts'
import { hashToken } from './token.ts'

/** Says nothing of the token: it may be a secret after all. */
export const noSuchLink = () =>
  new RequestError('missing', 'link_not_found', 'This link is not, or no longer, valid; ask for a new one.')

export async function getLink(database: Database, token: string): Promise<PersonLink> {
  const tokenHash = hashToken(token)
  const link = tokenHash && (await findLink(database.pool, tokenHash))
  if (!link) throw noSuchLink()
  return link
}
