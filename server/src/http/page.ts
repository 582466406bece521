// Pages of lists: a cursor is the position after the last item of the page before, in a form nobody needs to read.
import { hash } from 'node:crypto'
import { invalid } from '../domain/errors.ts'
import type { Context } from '../operations/context.ts'

export const defaultPageSize = 50

export type Page<Item> = { items: Item[]; nextCursor: string | null }

/** Names one list among all: what it is of, and everything that says what is in it. */
export const nameList = (
  noun: string,
  { principal }: Pick<Context, 'principal'>,
  ...filters: unknown[]
): string => `${noun}:${hash('sha256', JSON.stringify([principal.environment, ...filters])).slice(0, 12)}`

/** `list` names the list that it is a position in. */
export const writeCursor = (list: string, position: (string | number)[]): string =>
  Buffer.from(JSON.stringify([list, ...position])).toString('base64url')

/**
 * The position in a cursor, which must be of this list and form: one letter a part, s for a string, n for an integer, u for a
 * UUID.
 */
export function readCursor(
  list: string,
  cursor: string | undefined,
  form: string,
): (string | number)[] | undefined {
  if (cursor === undefined) return undefined
  const parsed = parse(cursor)
  const [ofList, ...position] = Array.isArray(parsed) ? parsed : []
  const isOfForm =
    ofList === list &&
    position.length === form.length &&
    position.every((part, index) => partForms[form[index] as string]?.(part))
  if (!isOfForm) throw invalid('cursor is not one that this list gave.', 'invalid_cursor')
  return position
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

// A cursor that somebody made up must not reach the database as something it cannot read.
const partForms: Record<string, (part: unknown) => boolean> = {
  n: Number.isSafeInteger,
  s: (part) => typeof part === 'string' && part.isWellFormed() && !part.includes('\0'),
  u: (part) => typeof part === 'string' && uuid.test(part),
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    return undefined
  }
}

/** When a thing was made, and its number in the order of making: a clock may stand still. */
export type Position = [createdAt: number, no: number]

type PositionOf<Item> = (item: Item) => Position

/** A page of a list held in memory, which is in the order wanted. */
export function pageOf<Item>(
  list: string,
  items: Item[],
  { limit = defaultPageSize, cursor }: { limit?: number | undefined; cursor?: string | undefined },
  positionOf: PositionOf<Item>,
): Page<Item> {
  const after = readCursor(list, cursor, 'nn') as Position | undefined
  const isAfter = (item: Item) => !after || comparePositions(positionOf(item), after) > 0
  const rest = items.filter(isAfter)
  const page = rest.slice(0, limit)
  const last = page.at(-1)
  return { items: page, nextCursor: rest.length > limit && last ? writeCursor(list, positionOf(last)) : null }
}

/** Newest first; of things made at the same instant, the one made last: the order `pageOf` expects. */
export const newestFirst =
  <Item>(positionOf: PositionOf<Item>) =>
  (a: Item, b: Item): number =>
    comparePositions(positionOf(a), positionOf(b))

const comparePositions = ([aAt, aNo]: Position, [bAt, bNo]: Position): number => bAt - aAt || bNo - aNo
