// Stands between service and database and does what networks do: cuts, stands still, swallows, loses replies after a commit.
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import type pg from 'pg'

export type DatabaseProxy = {
  /** The database as it is reached through here. */
  connection: pg.ClientConfig
  /** Ends every connection and refuses new ones. */
  cut(): void
  /** Nothing moves; what was sent arrives after the mending. */
  hold(): void
  /** Takes every byte and forwards none, connections stay open; one that lost bytes stays dead after the mending. */
  swallow(): void
  mend(): void
  /** Asked for every reply that leaves the database outside of a transaction: a lost one ends the service's connection. */
  loseReplies(isLost: () => boolean): void
  close(): Promise<void>
}

type Link = { near: Socket; far: Socket; isDead: boolean }

export async function openDatabaseProxy(target: pg.ClientConfig): Promise<DatabaseProxy> {
  const socketPath = join(String(target.host), `.s.PGSQL.${target.port ?? 5432}`)
  const links = new Set<Link>()
  let state: 'open' | 'cut' | 'held' | 'swallowed' = 'open'
  let isLost = () => false

  const server = createServer((near) => {
    near.on('error', () => {})
    if (state === 'cut') near.destroy()
    else link(near)
  })

  function link(near: Socket): void {
    const far = connect(socketPath)
    const link: Link = { near, far, isDead: false }
    links.add(link)
    /** Whether the bytes that came go no further. */
    const isSwallowed = () => {
      if (state === 'swallowed') link.isDead = true
      return link.isDead
    }
    const reply = splitReplies((bytes, isCommitted) => {
      if (isCommitted && isLost()) near.destroy()
      else near.write(bytes)
    })
    near.on('data', (bytes) => isSwallowed() || far.write(bytes))
    far.on('data', (bytes: Buffer) => isSwallowed() || reply(bytes))
    far.on('error', () => {})
    // The end of a connection is lost on the way as well.
    near.on('close', () => isSwallowed() || far.destroy())
    far.on('close', () => isSwallowed() || near.destroy())
    near.on('close', () => link.isDead || links.delete(link))
    if (state === 'held') for (const socket of [near, far]) socket.pause()
  }

  const forEach = (act: (socket: Socket) => unknown) => {
    for (const { near, far } of links) for (const socket of [near, far]) act(socket)
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    connection: { ...target, host: '127.0.0.1', port },
    cut: () => {
      state = 'cut'
      forEach((socket) => socket.destroy())
    },
    hold: () => {
      state = 'held'
      forEach((socket) => socket.pause())
    },
    swallow: () => {
      state = 'swallowed'
    },
    mend: () => {
      state = 'open'
      forEach((socket) => socket.resume())
    },
    loseReplies: (given) => {
      isLost = given
    },
    close: async () => {
      forEach((socket) => socket.destroy())
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

const readyForQuery = 'Z'.charCodeAt(0)
const idle = 'I'.charCodeAt(0)

/**
 * Every message of PostgreSQL is a letter and a length; one letter ends a reply and says whether a transaction is still open.
 * While it is not, whatever the reply answers is committed. Replies come out whole, those of the greeting message by message.
 */
function splitReplies(onReply: (bytes: Buffer, isCommitted: boolean) => void): (bytes: Buffer) => void {
  let kept: Buffer = Buffer.alloc(0)
  let messageAt = 0
  let isGreeted = false
  return (bytes) => {
    kept = Buffer.concat([kept, bytes])
    while (kept.length >= messageAt + 5) {
      const endsAt = messageAt + 1 + kept.readInt32BE(messageAt + 1)
      if (kept.length < endsAt) return
      const isReady = kept[messageAt] === readyForQuery
      const isCommitted = isGreeted && isReady && kept[messageAt + 5] === idle
      messageAt = endsAt
      if (!isReady && isGreeted) continue
      isGreeted ||= isReady
      onReply(kept.subarray(0, endsAt), isCommitted)
      kept = kept.subarray(endsAt)
      messageAt = 0
    }
  }
}
