// The load generator's process: keep-alive sockets, each sending its next request when the last one is answered.
import { createConnection, type Socket } from 'node:net'
import { answerParent } from './child.ts'
import { createRequests, isRight, type Kind, type Sent, type Subjects, writeRepeat } from './requests.ts'

export type LoadAsk = {
  ports: number[]
  connections: number
  durationMs: number
  kind: Kind
  subjects: Subjects
  /** Baselines that answer nothing true are not looked into; only bytes are counted. */
  isBare: boolean
  /** Whose sums these events belong to; absent for baselines. */
  ledger?: string
}

export type LoadAnswer = {
  requests: number
  perSecond: number
  p50Ms: number
  p99Ms: number
  bytesPerAnswer: number
  /** How much of one core the generator itself used: near 1 it, and not what it asks, is what is measured. */
  coreShare: number
}

type Ledger = { sums: Map<string, number>; last: { customer: string; eventKey: string }[] }
const ledgers = new Map<string, Ledger>()
const getLedger = (name: string) => ledgers.getOrInsert(name, { sums: new Map(), last: [] })

let runs = 0

async function runLoad(ask: LoadAsk): Promise<LoadAnswer> {
  const next = createRequests(ask.kind, ask.subjects, `${process.pid}-${runs++}`)
  const ledger = ask.ledger === undefined ? undefined : getLedger(ask.ledger)
  const latencies: number[] = []
  let bytes = 0
  const wrong: string[] = []
  const cpu = process.cpuUsage()
  const startedAt = performance.now()
  const until = startedAt + ask.durationMs
  const converse = (index: number) => {
    let sent: Sent
    let sentAt = 0
    return talk(
      ask.ports[index % ask.ports.length] as number,
      () => {
        if (performance.now() >= until || wrong.length > 0) return undefined
        sent = next()
        sentAt = performance.now()
        return sent.text
      },
      (status, body, length) => {
        latencies.push(performance.now() - sentAt)
        bytes += length
        if (!ask.isBare && !isRight(ask.kind, status, body)) wrong.push(`${status} ${body.slice(0, 300)}`)
        else if (ledger && sent.events.length > 0) note(ledger, sent)
      },
    )
  }
  await Promise.all(Array.from({ length: ask.connections }, (_, index) => converse(index)))
  if (wrong[0] !== undefined) throw new Error(`a wrong answer to ${ask.kind}: ${wrong[0]}`)
  const seconds = (performance.now() - startedAt) / 1000
  const { user, system } = process.cpuUsage(cpu)
  latencies.sort((a, b) => a - b)
  const at = (part: number) => latencies[Math.floor(latencies.length * part)] ?? 0
  return {
    requests: latencies.length,
    perSecond: latencies.length / seconds,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    bytesPerAnswer: bytes / latencies.length,
    coreShare: (user + system) / 1e6 / seconds,
  }
}

function note({ sums, last }: Ledger, { events }: Sent): void {
  for (const event of events) {
    sums.set(event.customer, (sums.get(event.customer) ?? 0) + 1)
    if (last.length >= 500) last.shift()
    last.push(event)
  }
}

/** One connection: `next` gives a request or ends it; `take` gets every answer whole. */
function talk(
  port: number,
  next: () => string | undefined,
  take: (status: string, body: string, length: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = ''
    const socket: Socket = createConnection(port, '127.0.0.1', send)
    socket.setNoDelay(true)
    socket.on('error', reject)
    socket.on('close', () => reject(new Error(`port ${port} closed a connection`)))
    function send(): void {
      const request = next()
      if (request !== undefined) socket.write(request, 'latin1')
      else {
        socket.removeAllListeners('close')
        socket.destroy()
        resolve()
      }
    }
    socket.on('data', (chunk: Buffer) => {
      text = text === '' ? chunk.toString('latin1') : text + chunk.toString('latin1')
      const headEnd = text.indexOf('\r\n\r\n')
      if (headEnd === -1) return
      const length = headEnd + 4 + findContentLength(text, headEnd)
      if (text.length < length) return
      const answer = text
      text = ''
      take(answer.slice(9, 12), answer.slice(headEnd + 4), length)
      send()
    })
  })
}

function findContentLength(text: string, headEnd: number): number {
  const lower = text.indexOf('content-length: ')
  const at = lower !== -1 && lower < headEnd ? lower : text.indexOf('Content-Length: ')
  if (at === -1 || at > headEnd) throw new Error(`an answer without a length: ${text.slice(0, 300)}`)
  return Number.parseInt(text.slice(at + 16, at + 28), 10)
}

type RepeatAsk = { port: number; ledger: string; subjects: Subjects }

/** Sends the last events again and tells how many of them did not come back as duplicates. */
async function repeatLast({ port, ledger, subjects }: RepeatAsk): Promise<{ sent: number; wrong: number }> {
  const { last } = getLedger(ledger)
  let index = 0
  let wrong = 0
  await talk(
    port,
    () => {
      const event = last[index++]
      const apiKey = subjects.apiKeys[index % subjects.apiKeys.length] as string
      return event && writeRepeat(apiKey, subjects.featureKey, event.customer, event.eventKey)
    },
    (_status, body) => {
      if (!(body.startsWith('{"applied":false') && body.includes('"reason":"duplicate_event"'))) wrong++
    },
  )
  return { sent: last.length, wrong }
}

answerParent({ run: runLoad, repeatLast, sums: (ledger: string) => getLedger(ledger).sums })
