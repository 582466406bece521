// The plain facts of a customer, and its metadata.
import type { Customer } from '@tollkeeper/sdk/src/generated/api.ts'
import { Id } from '../../parts/id.tsx'
import { Section } from '../../parts/section.tsx'
import { Time } from '../../parts/time.tsx'
import classes from './customer.module.css'

export function Details({ customer }: { customer: Customer }) {
  const { email, usageStartedAt, providerCustomerId, metadata } = customer
  const entries = Object.entries(metadata)
  return (
    <>
      <Section title="Details">
        <dl className={classes.facts}>
          <dt>E-mail</dt>
          <dd>{email ?? '—'}</dd>
          <dt>Usage since</dt>
          <dd>
            <Time at={usageStartedAt} />
          </dd>
          <dt>At the provider</dt>
          <dd>{providerCustomerId === undefined ? 'not there yet' : <Id value={providerCustomerId} />}</dd>
        </dl>
      </Section>
      <Section title="Metadata">
        {entries.length === 0 ? (
          <p className={classes.soft}>None.</p>
        ) : (
          <dl className={classes.facts}>
            {entries.map(([key, value]) => (
              <div key={key} className={classes.fact}>
                <dt>{key}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
        )}
      </Section>
    </>
  )
}
