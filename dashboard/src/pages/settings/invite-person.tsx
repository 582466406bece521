// Invites a person: by a link, which the one who invites passes on.
import { Radio, Stack, TextInput } from '@mantine/core'
import { installationApi } from '../../api/client.ts'
import type { Person } from '../../api/generated.ts'
import { DrawerForm } from '../../parts/drawer-form.tsx'
import { useForm } from '../../parts/form.ts'
import type { MadeLink } from './person-link.tsx'
import { roles } from './roles.ts'

const empty = { email: '', role: 'member' as Person['role'] }

type Props = { isOpen: boolean; onClose(): void; onLink(link: MadeLink): void }

export function InvitePerson({ isOpen, onClose, onLink }: Props) {
  const form = useForm(empty)
  const invite = async (values: typeof empty) => {
    const { person, inviteUrl } = await installationApi.post('/people', { body: values })
    form.reset()
    onLink({ email: person.email, url: inviteUrl, kind: 'join' })
  }
  return (
    <DrawerForm
      title="Invite person"
      action="Invite"
      isOpen={isOpen}
      onClose={onClose}
      form={form}
      submit={invite}
    >
      <TextInput
        label="E-mail"
        type="email"
        description="Nothing is sent: you get a link to pass on"
        required
        data-autofocus
        {...form.field('email')}
      />
      <Radio.Group label="Role" {...(form.field('role') as object)}>
        <Stack gap={8} mt={8}>
          {roles.map(({ value, label, text }) => (
            <Radio key={value} value={value} label={label} description={text} />
          ))}
        </Stack>
      </Radio.Group>
    </DrawerForm>
  )
}
