// Clears away what deleted features left behind, in short transactions between other work.
import { purgeStretch } from '../storage/purges.ts'
import type { Services } from './services.ts'

const customersAtOnce = 500
const stretchesAtOnce = 20

export async function purgeSome({ database }: Services): Promise<void> {
  for (let stretch = 0; stretch < stretchesAtOnce; stretch++) {
    if (!(await database.inTransaction((sql) => purgeStretch(sql, customersAtOnce)))) return
  }
}
