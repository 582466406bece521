// One round on two instances: all callers at once, and what they were answered.
import type { TestService } from '../service.ts'
import type { AnsweredCall } from './call-operations.ts'
import type { CallerKnowledge } from './caller-knowledge.ts'
import type { Chance } from './chance.ts'
import { type Call, toCall } from './model-call.ts'
import type { Step } from './model-steps.ts'
import type { Caller } from './round-plan.ts'

export type Sender = {
  send(kind: string, call: Call, by: string, instance: number): Promise<AnsweredCall>
  take(step: Step, customerId: string, by: string, instance: number): Promise<AnsweredCall | undefined>
}

/** Sends calls, notes when they began and ended, and learns from what is answered. */
export function createSender(service: TestService, knowledge: CallerKnowledge): Sender {
  async function send(kind: string, call: Call, by: string, instance: number): Promise<AnsweredCall> {
    const { method, path, body, headers } = call
    const startAt = performance.now()
    const answer = await service.request(method, path, { body, instance, ...(headers ? { headers } : {}) })
    const endAt = performance.now()
    knowledge.learn(call, answer)
    return { kind, call, answer, startAt, endAt, by: `${by}/${instance}` }
  }

  const take: Sender['take'] = async (step, customerId, by, instance) => {
    const call = toCall(step, knowledge.resolverOf(customerId))
    return call && send(step.do, call, by, instance)
  }
  return { send, take }
}

/** A step that names what is not there yet is left out. */
export async function runRound(sender: Sender, chance: Chance, callers: Caller[]): Promise<AnsweredCall[]> {
  const chosen = callers.map(({ steps }) => steps.map(() => chance.upTo(2)))
  const answered = await Promise.all(
    callers.map(async ({ customerId, steps }, index) => {
      const own: (AnsweredCall | undefined)[] = []
      for (const [n, step] of steps.entries()) {
        own.push(await sender.take(step, customerId, `caller ${index}`, chosen[index]?.[n] ?? 0))
      }
      return own
    }),
  )
  return answered.flat().filter((each) => each !== undefined)
}
