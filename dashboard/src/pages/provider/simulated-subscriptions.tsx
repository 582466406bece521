// A customer's subscriptions at the simulated provider: renewed, cancelled, and payments that fail.
import { Button, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'wouter'
import { useApi } from '../../api/environment.ts'
import type { ProviderSubscription } from '../../api/generated.ts'
import { useChange, useGet } from '../../api/queries.ts'
import { useMay } from '../../api/session.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { Confirm } from '../../parts/confirm.tsx'
import { Failure } from '../../parts/failure.tsx'
import { formatMoney, formatTime } from '../../parts/format.ts'
import { Id } from '../../parts/id.tsx'
import { useToast } from '../../parts/toast.tsx'
import classes from './provider.module.css'

const tones: Record<ProviderSubscription['phase'], Tone> = {
  granting: 'green',
  suspended: 'red',
  ended: 'neutral',
}

export function SimulatedSubscriptions({ customerId }: { customerId: string }) {
  const path = { customerId }
  const { data, error, refetch } = useGet('/customers/{customerId}/provider', { path }, { isLive: true })
  const mayWrite = useMay()
  const act = useAct()
  if (data === undefined && error !== null) return <Failure error={error} retry={() => void refetch()} />
  if (data === undefined) return <Skeleton height={96} />
  const isLinked = data.providerCustomerId !== null
  return (
    <div>
      <div className={classes.row}>
        <div className={classes.what}>
          <Link className={classes.name ?? ''} href={`/customers/${encodeURIComponent(customerId)}`}>
            {customerId}
          </Link>{' '}
          {data.providerCustomerId === null ? (
            <span className={classes.soft}>is not known at the provider yet: a checkout makes it so.</span>
          ) : (
            <>
              <Id value={data.providerCustomerId} />{' '}
              <span className={classes.soft}>
                {data.hasPaymentMethod ? 'has a payment method' : 'no payment method'}
              </span>
            </>
          )}
        </div>
        {mayWrite && isLinked && (
          <Button
            variant="default"
            onClick={() =>
              act(
                (api) => api.post('/simulator/customers/{customerId}/fail-next-payment', { path }),
                'The next payment will fail',
              )
            }
          >
            Fail next payment
          </Button>
        )}
      </div>
      {data.subscriptions.map((subscription) => (
        <Subscription key={subscription.subscriptionId} subscription={subscription} />
      ))}
      {isLinked && data.subscriptions.length === 0 && (
        <p className={classes.soft}>It has no subscriptions.</p>
      )}
    </div>
  )
}

type Api = ReturnType<typeof useApi>

function useAct(): (call: (api: Api) => Promise<unknown>, text: string) => void {
  const toast = useToast()
  const change = useChange((api, call: (api: Api) => Promise<unknown>) => call(api))
  return (call, text) =>
    change.mutate(call, {
      onSuccess: () => toast({ text }),
      onError: (error) => toast({ text: error.message, isError: true }),
    })
}

function Subscription({ subscription }: { subscription: ProviderSubscription }) {
  const { subscriptionId, status, phase, canceledAt, items } = subscription
  const path = { subscriptionId }
  const mayWrite = useMay()
  const api = useApi()
  const toast = useToast()
  const act = useAct()
  const [isCancelling, setCancelling] = useState(false)
  return (
    <div className={classes.row}>
      <div className={classes.what}>
        <Badge tone={tones[phase]}>{status}</Badge>{' '}
        {items.map((item) => (
          <span key={`${item.productName} ${item.currentPeriodStart}`}>
            <strong className={classes.strong}>{item.productName}</strong>
            {item.quantity > 1 && ` × ${item.quantity}`}{' '}
            <span className={classes.soft}>
              {item.unitAmount !== null &&
                item.currency !== null &&
                `${formatMoney(item.unitAmount, item.currency)} per ${item.recurringInterval ?? 'once'}, `}
              {phase === 'ended' ? 'ended' : `until ${formatTime(item.currentPeriodEnd)}`}
            </span>
          </span>
        ))}
        {canceledAt !== null && <span className={classes.soft}> · cancelled {formatTime(canceledAt)}</span>}
        <div>
          <Id value={subscriptionId} />
        </div>
      </div>
      {mayWrite && phase !== 'ended' && (
        <div className={classes.buttons}>
          <Button
            variant="default"
            onClick={() =>
              act(
                (each) => each.post('/simulator/subscriptions/{subscriptionId}/advance', { path }),
                'Advanced to the next renewal',
              )
            }
          >
            Advance to renewal
          </Button>
          <Button variant="default" c="red" onClick={() => setCancelling(true)}>
            Cancel
          </Button>
        </div>
      )}
      <Confirm
        title="Cancel the subscription?"
        action="Cancel subscription"
        name={subscriptionId}
        losses={[
          `It ends at once, as if the customer had cancelled: ${items.map(({ productName }) => productName).join(', ')}.`,
          'What it gave is lost; the customer falls back to the default product.',
        ]}
        isOpen={isCancelling}
        onClose={() => setCancelling(false)}
        confirm={async () => {
          await api.post('/simulator/subscriptions/{subscriptionId}/cancel', { path })
          toast({ text: 'Cancelled the subscription' })
        }}
      />
    </div>
  )
}
