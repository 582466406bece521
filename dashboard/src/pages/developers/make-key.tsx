// Makes an API key: its name, what it may do, and until when.
import { Radio, Select, Stack, TextInput } from '@mantine/core'
import { useApi } from '../../api/environment.ts'
import type { MadeKey } from '../../api/generated.ts'
import { DateTimeInput, readDateTime } from '../../parts/date-time-input.tsx'
import { DrawerForm } from '../../parts/drawer-form.tsx'
import { useForm } from '../../parts/form.ts'

const dayMs = 86_400_000

const ends = [
  { value: 'never', label: 'Never' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
  { value: 'at', label: 'At a time of your choice' },
]

const empty = { name: '', scope: 'full', end: 'never', expiresAt: '' }

type Props = { isOpen: boolean; onClose(): void; onMade(key: MadeKey): void }

export function MakeKey({ isOpen, onClose, onMade }: Props) {
  const api = useApi()
  const form = useForm(empty)
  const make = async ({ name, scope, end, expiresAt }: typeof empty) => {
    const at =
      end === 'at' ? readDateTime(expiresAt) : end === 'never' ? null : Date.now() + Number(end) * dayMs
    if (at === undefined) throw new Error('expiresAt is missing: choose a day and hour.')
    const key = await api.post('/keys', { body: { name, scope: scope as 'full' | 'read', expiresAt: at } })
    form.reset()
    onMade(key)
  }
  return (
    <DrawerForm
      title="Make API key"
      action="Make key"
      isOpen={isOpen}
      onClose={onClose}
      form={form}
      submit={make}
    >
      <TextInput
        label="Name"
        description="Where it will be used: production backend, CI"
        required
        data-autofocus
        {...form.field('name')}
      />
      <Radio.Group label="What it may do" {...form.field('scope')}>
        <Stack gap={8} mt={8}>
          <Radio value="full" label="Everything" description="Read, record usage, change the catalogue" />
          <Radio value="read" label="Only read" description="Check access and list; every write is refused" />
        </Stack>
      </Radio.Group>
      <Select label="Expires" data={ends} allowDeselect={false} {...form.field('end')} />
      {form.values.end === 'at' && <DateTimeInput label="Expires at" {...form.field('expiresAt')} />}
    </DrawerForm>
  )
}
