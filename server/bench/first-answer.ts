// How long `npm start` takes over existing data until it answers, and how much memory it has then.
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { readMemoryMb } from './costs.ts'
import type { Row } from './measures.ts'
import { median, type Plan } from './rounds.ts'

const main = join(import.meta.dirname, '../src/main.ts')
const port = 41_973

export async function measureFirstAnswer({ rounds }: Plan): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'tollkeeper-bench-'))
  chmodSync(folder, 0o711)
  try {
    // The first start makes the data that the others find.
    await startOnce(folder)
    const seen: { seconds: number; memoryMb: number }[] = []
    for (let round = 0; round < rounds; round++) seen.push(await startOnce(folder))
    const seconds = median(seen.map((each) => each.seconds))
    const memoryMb = median(seen.map((each) => each.memoryMb))
    return [
      {
        measure: 'start to first answer with existing data',
        must: '2 s',
        aim: '0.6 s',
        seen: `${seconds.toFixed(2)} s`,
      },
      {
        measure: 'memory of the service after it',
        must: '180 MB',
        aim: '120 MB',
        seen: `${memoryMb.toFixed(0)} MB`,
      },
    ]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function startOnce(folder: string): Promise<{ seconds: number; memoryMb: number }> {
  const apiKey = 'tk_test_benchmark_of_the_first_answer'
  const startedAt = performance.now()
  const child = spawn(process.execPath, [main], {
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: folder,
      TOLLKEEPER_TEST_API_KEY: apiKey,
      LOG_LEVEL: 'warn',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  // It answers before it has said all it has to say, and only then is it ready to be stopped.
  const introduced = new Promise<void>((resolve) => {
    let text = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk
      if (text.includes(' Try ')) resolve()
    })
  })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  try {
    const deadlineAt = Date.now() + 60_000
    while (!(await isAnswering(apiKey))) {
      if (child.exitCode !== null || Date.now() > deadlineAt) throw new Error('the service did not start')
      await sleep(5)
    }
    const seconds = (performance.now() - startedAt) / 1000
    await Promise.race([introduced, exited])
    return { seconds, memoryMb: readMemoryMb(child.pid as number) }
  } finally {
    child.kill('SIGTERM')
    await exited
  }
}

async function isAnswering(apiKey: string): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/v1/features`, { headers: { 'x-api-key': apiKey } })
    return answer.status === 200
  } catch {
    return false
  }
}
