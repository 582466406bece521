// Processes of the benchmark: each role runs in one of its own and answers questions that its parent asks.
import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'

export type Child = {
  pid: number
  // biome-ignore lint/suspicious/noExplicitAny: questions and answers are the role's own
  ask(name: string, argument?: unknown): Promise<any>
  stop(): Promise<void>
}

type Question = { id: number; name: string; argument: unknown }
type Reply = { id: number; answer?: unknown; error?: string }

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})

export function startChild(role: string, execArgv: string[] = []): Child {
  const child = fork(join(import.meta.dirname, role), { serialization: 'advanced', execArgv })
  running.add(child)
  const waiting = new Map<number, { resolve(answer: unknown): void; reject(error: Error): void }>()
  let asked = 0
  child.on('message', ({ id, answer, error }: Reply) => {
    const { resolve, reject } = waiting.get(id) ?? {}
    waiting.delete(id)
    if (error === undefined) resolve?.(answer)
    else reject?.(new Error(`${role}: ${error}`))
  })
  const exited = new Promise<void>((resolve) => {
    child.on('exit', (code, signal) => {
      running.delete(child)
      for (const { reject } of waiting.values()) reject(new Error(`${role} ended with ${signal ?? code}`))
      resolve()
    })
  })
  return {
    pid: child.pid as number,
    ask: (name, argument) =>
      new Promise((resolve, reject) => {
        const question: Question = { id: asked++, name, argument }
        waiting.set(question.id, { resolve, reject })
        child.send(question)
      }),
    stop: async () => {
      if (child.connected) child.disconnect()
      await exited
    },
  }
}

// biome-ignore lint/suspicious/noExplicitAny: as above
type Answers = Record<string, (argument: any) => unknown>

/** In the child: answers what the parent asks, until the parent lets go; then `end` runs. */
export function answerParent(answers: Answers, end: () => unknown = () => {}): void {
  process.on('message', async ({ id, name, argument }: Question) => {
    try {
      const answer = await answers[name]?.(argument)
      process.send?.({ id, answer } satisfies Reply)
    } catch (error) {
      process.send?.({ id, error: String((error as Error).stack ?? error) } satisfies Reply)
    }
  })
  process.on('disconnect', async () => {
    await end()
    process.exit(0)
  })
}
