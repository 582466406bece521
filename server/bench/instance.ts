// One instance of the service in a process of its own, as `npm start` runs it, with a count of its statements.
import pg from 'pg'
import { readConfig } from '../src/config.ts'
import { type Service, startService } from '../src/service.ts'
import { answerParent } from './child.ts'

let service: Service | undefined
const statements = new Map<string, number>()

const query = pg.Client.prototype.query
pg.Client.prototype.query = function count(this: pg.Client, ...values: unknown[]) {
  const [first] = values as [string | { name?: string; text?: string }]
  const name = typeof first === 'string' ? first : (first.name ?? first.text ?? '')
  statements.set(name, (statements.get(name) ?? 0) + 1)
  return Reflect.apply(query, this, values)
} as typeof query

async function start(connection: pg.ClientConfig): Promise<number> {
  service = await startService(readConfig({ PORT: '0', TOLLKEEPER_DEMO: '0', LOG_LEVEL: 'warn' }), connection)
  return Number(new URL(service.url).port)
}

answerParent(
  {
    start,
    statements: () => statements.values().reduce((sum, count) => sum + count, 0),
    statementsByName: () => statements,
  },
  () => service?.close(),
)
