// What is used, and what can be bought.
import { useUsage } from '@tollkeeper/sdk/react'

export function Meter() {
  const { used = 0, limit = 0, share = 0, hasReachedLimit, nextReset } = useUsage('chat_tokens')
  const level = hasReachedLimit ? 'out' : share > 0.8 ? 'low' : 'fine'
  return (
    <section className="card" aria-label="Usage">
      <p className="numbers">
        <strong>{used.toLocaleString('en')}</strong> of {limit.toLocaleString('en')} tokens
      </p>
      <progress className={level} aria-label="Tokens used" value={share} />
      {nextReset !== undefined && (
        <p className="soft">
          Starts again on {new Date(nextReset).toLocaleDateString('en', { day: 'numeric', month: 'long' })}
        </p>
      )}
    </section>
  )
}

type PlansProps = { plans: { key: string; name: string; price: string }[]; held: string | undefined }

/** Plain forms: the server answers with a redirect to the page where it is bought, changed or ended. */
export function Plans({ plans, held }: PlansProps) {
  const hasSubscription = held !== undefined && held !== 'free'
  return (
    <section aria-label="Plans" className="plans">
      {plans.map(({ key, name, price }) => (
        <form key={key} method="post" action="/plan" className={key === held ? 'plan held' : 'plan'}>
          <div>
            <strong>{name}</strong>
            <span className="soft">{price}</span>
          </div>
          {key === held && <span className="mark">Your plan</span>}
          {key !== held && key !== 'free' && (
            <button
              type="submit"
              name="plan"
              value={key}
              className="quiet"
              aria-label={hasSubscription ? `Switch to ${name}` : `Get ${name}`}
            >
              {hasSubscription ? 'Switch' : `Get ${name}`}
            </button>
          )}
        </form>
      ))}
      {hasSubscription && (
        <form method="post" action="/billing">
          <button type="submit" className="quiet">
            Manage billing
          </button>
        </form>
      )}
    </section>
  )
}
