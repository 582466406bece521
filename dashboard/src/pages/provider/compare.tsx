// Compares what is here with what is at the provider, customer by customer, and takes over what differs.
import { Button, Progress } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { useApi } from '../../api/environment.ts'
import type { ProviderDifference } from '../../api/generated.ts'
import { useChange } from '../../api/queries.ts'
import { useMay } from '../../api/session.ts'
import { formatCount } from '../../parts/format.ts'
import { Section } from '../../parts/section.tsx'
import { useToast } from '../../parts/toast.tsx'
import classes from './provider.module.css'

type Found = { differences: ProviderDifference[]; customers: number; isDone: boolean }

// A customer a time asks the provider: as many calls as this and no more.
const mostCalls = 200

export function Compare() {
  const api = useApi()
  const mayWrite = useMay()
  const [found, setFound] = useState<Found>()
  const comparing = useMutation({
    mutationFn: async () => {
      let so: Found = { differences: [], customers: 0, isDone: false }
      setFound(so)
      let cursor: string | undefined
      for (let call = 0; call < mostCalls && !so.isDone; call++) {
        const body = cursor === undefined ? {} : { cursor }
        const answer = await api.post('/provider/compare', { body })
        so = {
          differences: [...so.differences, ...answer.differences],
          customers: so.customers + answer.customers,
          isDone: answer.nextCursor === null,
        }
        cursor = answer.nextCursor ?? undefined
        setFound(so)
      }
    },
  })
  return (
    <Section
      title="Differences"
      note={
        found === undefined
          ? undefined
          : `${formatCount(found.customers, 'customer')} and all products compared`
      }
      actions={
        mayWrite && (
          <Button variant="default" loading={comparing.isPending} onClick={() => comparing.mutate()}>
            Compare now
          </Button>
        )
      }
    >
      {comparing.isPending && <Progress value={100} animated size="xs" aria-label="Comparing" mb={8} />}
      {comparing.error !== null && <p className={classes.problem}>{comparing.error.message}</p>}
      {found === undefined && (
        <p className={classes.soft}>
          What is here follows the provider's events; comparing asks the provider itself for every customer
          and product.
        </p>
      )}
      {found?.isDone && found.differences.length === 0 && <p role="status">Nothing differs.</p>}
      <ul className={classes.list}>
        {found?.differences.map((difference) => (
          <Line
            key={`${difference.kind} ${difference.id} ${difference.field} ${difference.text}`}
            difference={difference}
            onSynced={() =>
              setFound({
                ...found,
                differences: found.differences.filter(
                  ({ kind, id }) => kind !== difference.kind || id !== difference.id,
                ),
              })
            }
          />
        ))}
      </ul>
    </Section>
  )
}

function Line({ difference, onSynced }: { difference: ProviderDifference; onSynced(): void }) {
  const { kind, id, text, ours, theirs } = difference
  const mayWrite = useMay()
  const toast = useToast()
  const sync = useChange(
    (api, _: undefined): Promise<unknown> =>
      kind === 'customer'
        ? api.post('/customers/{customerId}/sync', { path: { customerId: id } })
        : api.post('/v1/products/sync'),
  )
  return (
    <li className={classes.row}>
      <div className={classes.what}>
        <Link className={classes.name ?? ''} href={`/${kind}s/${encodeURIComponent(id)}`}>
          {id}
        </Link>{' '}
        {text}
        {(ours !== undefined || theirs !== undefined) && (
          <div className={classes.soft}>
            here {ours ?? '—'}, at the provider {theirs ?? '—'}
          </div>
        )}
      </div>
      {mayWrite && (
        <Button
          variant="default"
          loading={sync.isPending}
          onClick={() =>
            sync.mutate(undefined, {
              onSuccess: () => {
                toast({ text: `Took over what the provider has of ${id}` })
                onSynced()
              },
              onError: (error) => toast({ text: error.message, isError: true }),
            })
          }
        >
          Re-sync
        </Button>
      )}
    </li>
  )
}
