// The four steps of a new installation; each ticks itself when it has happened, and when all have, the list is gone.
import { IconCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useEnvironment } from '../../api/environment.ts'
import { toCurl } from '../../parts/calls.ts'
import { CodeBlock } from '../../parts/code-block.tsx'
import type { Overview } from './attention.tsx'
import classes from './home.module.css'

export function Checklist({ checklist }: { checklist: Overview['checklist'] }) {
  const environment = useEnvironment()
  const { hasCustomer, hasKey, hasEvent, hasProvider } = checklist
  if (hasCustomer && hasKey && hasEvent && hasProvider) return null
  const variable = environment === 'test' ? 'STRIPE_TEST_SECRET_KEY' : 'STRIPE_LIVE_SECRET_KEY'
  return (
    <section className={classes.steps} aria-labelledby="steps">
      <h2 id="steps" className={classes.title}>
        Four steps to begin
      </h2>
      <Step isDone={hasCustomer} title={<Link href="/customers">Look at a customer</Link>}>
        Create one, or let your program do it.
      </Step>
      <Step isDone={hasKey} title={<Link href="/developers">Make a key</Link>}>
        Your program calls the API with it.
      </Step>
      <Step isDone={hasEvent} title="Send an event">
        <div className={classes.call}>
          <CodeBlock
            text={toCurl({
              method: 'POST',
              path: '/v1/usage',
              body: { customerId: 'acme', featureKey: 'api_calls', eventKey: 'first-event' },
            })}
          />
        </div>
      </Step>
      <Step isDone={hasProvider} title="Connect Stripe">
        Set {variable} and start the service again. Until then the simulator takes its place in test.
      </Step>
    </section>
  )
}

function Step({ isDone, title, children }: { isDone: boolean; title: ReactNode; children: ReactNode }) {
  return (
    <div className={`${classes.step} ${isDone ? classes.done : ''}`}>
      <span
        className={`${classes.tick} ${isDone ? classes.ticked : ''}`}
        role="img"
        aria-label={isDone ? 'done' : 'to do'}
      >
        <IconCheck size={13} stroke={3} />
      </span>
      <div className={classes.stepBody}>
        <div>{title}</div>
        {!isDone && <div className={classes.soft}>{children}</div>}
      </div>
    </div>
  )
}
