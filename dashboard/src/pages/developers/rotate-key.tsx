// Rotates an API key: a new one takes its place, and the old one goes on for as long as it takes to exchange it.
import { Select } from '@mantine/core'
import { useApi } from '../../api/environment.ts'
import type { ApiKey, MadeKey } from '../../api/generated.ts'
import { DrawerForm } from '../../parts/drawer-form.tsx'
import { useForm } from '../../parts/form.ts'
import classes from './developers.module.css'

const hourMs = 3_600_000

const graces = [
  { value: '0', label: 'Ends at once' },
  { value: String(hourMs), label: 'Goes on for an hour' },
  { value: String(24 * hourMs), label: 'Goes on for a day' },
  { value: String(7 * 24 * hourMs), label: 'Goes on for a week' },
  { value: String(30 * 24 * hourMs), label: 'Goes on for 30 days' },
]

type Props = { apiKey: ApiKey; onClose(): void; onMade(key: MadeKey): void }

export function RotateKey({ apiKey, onClose, onMade }: Props) {
  const api = useApi()
  const form = useForm({ graceMs: String(24 * hourMs) })
  const rotate = async ({ graceMs }: { graceMs: string }) => {
    const path = { keyId: apiKey.keyId }
    onMade(await api.post('/keys/{keyId}/rotate', { path, body: { graceMs: Number(graceMs) } }))
  }
  return (
    <DrawerForm
      title={`Rotate ${apiKey.name}`}
      action="Rotate key"
      isOpen
      onClose={onClose}
      form={form}
      submit={rotate}
    >
      <p className={classes.soft}>
        A new key of the same name and scope is made and shown once. The old one, which ends in{' '}
        <code>{apiKey.lastFour}</code>, can go on until everything uses the new one.
      </p>
      <Select label="The old key" data={graces} allowDeselect={false} {...form.field('graceMs')} />
    </DrawerForm>
  )
}
