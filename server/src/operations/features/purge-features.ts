// Clears away what deleted features left behind, in short transactions between other work.
import { purgeStretch } from '../../storage/customers/purges.ts'
import type { Services } from '../services.ts'

const customersAtOnce = 500
const stretchesAtOnce = 20

/** Says how many stretches of customers it went over. */
export async function purgeSome({ database }: Services): Promise<number> {
  let stretch = 0
  while (stretch < stretchesAtOnce) {
    if (!(await database.inTransaction((sql) => purgeStretch(sql, customersAtOnce)))) break
    stretch++
  }
  return stretch
}
