// Who the customer is, and what can be done about it.
import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconDots, IconGift } from '@tabler/icons-react'
import type { Customer } from '@tollkeeper/sdk/src/generated/api.ts'
import { useChange } from '../../api/queries.ts'
import { useMay, useProviderMode } from '../../api/session.ts'
import { Badge } from '../../parts/badge.tsx'
import { toCurl } from '../../parts/calls.ts'
import { CopyAs } from '../../parts/copy-as.tsx'
import { Id } from '../../parts/id.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { useEditKey } from '../../parts/row-keys.ts'
import { Time } from '../../parts/time.tsx'
import { useToast } from '../../parts/toast.tsx'
import type { Doing } from './doing.ts'

type Props = { customer: Customer; doing: Doing }

export function CustomerHeader({ customer, doing }: Props) {
  const { customerId, name, email, products, created } = customer
  const mayWrite = useMay()
  useEditKey(() => mayWrite && doing.open('edit'))
  return (
    <PageHeader
      title={name ?? email ?? customerId}
      beside={products.map(({ key, name: product, isDefault }) => (
        <Badge key={key} tone={isDefault ? 'neutral' : 'accent'}>
          {product}
        </Badge>
      ))}
      below={
        <>
          <Id value={customerId} />
          {email !== undefined && name !== undefined && <span>{email}</span>}
          <span>
            created <Time at={created} />
          </span>
        </>
      }
      actions={
        <>
          <CopyAs calls={writeCalls(customerId)} />
          {mayWrite && <WriteActions customerId={customerId} doing={doing} />}
        </>
      }
    />
  )
}

function WriteActions({ customerId, doing }: { customerId: string; doing: Doing }) {
  const sync = useSync(customerId)
  const hasProvider = useProviderMode() !== 'none'
  return (
    <>
      {hasProvider && (
        <Button variant="default" onClick={() => doing.open('checkout')}>
          Checkout link
        </Button>
      )}
      <Button leftSection={<IconGift size={15} />} onClick={() => doing.open('give-bonus')}>
        Give bonus
      </Button>
      <Menu width={210}>
        <Menu.Target>
          <ActionIcon variant="default" size={30} aria-label="More actions">
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => doing.open('record-usage')}>Record usage</Menu.Item>
          <Menu.Item onClick={() => doing.open('set-usage')}>Set usage</Menu.Item>
          <Menu.Divider />
          <Menu.Item onClick={() => doing.open('products')}>Assign products</Menu.Item>
          {hasProvider && <Menu.Item onClick={() => doing.open('portal')}>Portal link</Menu.Item>}
          {hasProvider && <Menu.Item onClick={sync}>Sync with the provider</Menu.Item>}
          <Menu.Divider />
          <Menu.Item onClick={() => doing.open('edit')}>Edit customer</Menu.Item>
          <Menu.Item c="var(--red-ink)" onClick={() => doing.open('delete')}>
            Delete customer
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
    </>
  )
}

/** Fetches what the provider has of the customer, in case something was never told. */
function useSync(customerId: string): () => void {
  const toast = useToast()
  const { mutate } = useChange((api, _: undefined) =>
    api.post('/customers/{customerId}/sync', { path: { customerId } }),
  )
  return () =>
    mutate(undefined, {
      onSuccess: ({ changed }) =>
        toast({ text: changed ? 'Synced: something had changed' : 'Synced: nothing had changed' }),
      onError: (error) => toast({ text: error.message, isError: true }),
    })
}

function writeCalls(customerId: string) {
  const path = encodeURIComponent(customerId)
  const text = JSON.stringify(customerId)
  return [
    {
      name: 'What it may use',
      curl: toCurl({ path: `/v1/feature-access?customerId=${path}` }),
      sdk: `await tk.access(${text})`,
    },
    {
      name: 'The customer',
      curl: toCurl({ path: `/v1/customers/${path}` }),
      sdk: `await tk.customers.get(${text})`,
    },
  ]
}
