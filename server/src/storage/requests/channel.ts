// What instances say to one another while somebody watches requests: PostgreSQL's own notifications, over one connection of an
// instance that is opened anew when it is lost.
import pg from 'pg'
import { silenceMs } from '../database.ts'

const channel = 'tollkeeper_requests'
const retryMs = 1_000
const lookEveryMs = 30_000

/** PostgreSQL's own bound of a notification is 8000 bytes. */
export const longestMessage = 7_900

export type Channel = {
  /** Lost when the connection is: whoever speaks here says nothing that may not be missed. */
  send(message: string): void
  close(): Promise<void>
}

export function openChannel(config: pg.ClientConfig, onMessage: (message: string) => void): Channel {
  let current: pg.Client | undefined
  let closed = false
  let retry: NodeJS.Timeout | undefined
  const waitingAtMost = 64
  let waiting = 0

  async function connect(): Promise<void> {
    const client = new pg.Client(config)
    const lose = () => {
      if (current === client) current = undefined
      if (closed || retry) return
      retry = setTimeout(() => {
        retry = undefined
        void connect()
      }, retryMs)
      retry.unref()
    }
    client.on('error', lose)
    client.on('end', lose)
    client.on('notification', ({ payload }) => payload && onMessage(payload))
    try {
      await client.connect()
      await client.query(`listen ${channel}`)
      if (closed) await client.end()
      else current = client
    } catch {
      lose()
      client.end().catch(() => {})
    }
  }

  /** A statement that is not answered takes the connection with it, and the next one is opened. */
  const ask = (client: pg.Client, text: string, values: unknown[]) => {
    waiting++
    return client
      .query({ text, values, query_timeout: silenceMs } as pg.QueryConfig)
      .catch(() => client.end().catch(() => {}))
      .finally(() => {
        waiting--
      })
  }

  // A connection that died without a word would hear nothing for ever.
  const look = setInterval(() => current && void ask(current, 'select 1', []), lookEveryMs)
  look.unref()
  const opening = connect()

  return {
    send: (message) => {
      if (current && waiting < waitingAtMost)
        void ask(current, 'select pg_notify($1, $2)', [channel, message])
    },
    close: async () => {
      closed = true
      clearInterval(look)
      clearTimeout(retry)
      await opening
      await current?.end().catch(() => {})
    },
  }
}
