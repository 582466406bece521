// Removes a person, after saying what that ends.
import { installationApi } from '../../api/client.ts'
import type { Person } from '../../api/generated.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { useToast } from '../../parts/toast.tsx'

export function RemovePerson({ person, onClose }: { person: Person; onClose(): void }) {
  const toast = useToast()
  const { personId, email, state } = person
  return (
    <Confirm
      title={`Remove ${email}?`}
      action="Remove person"
      name={email}
      losses={[
        state === 'invited' ? 'Their invitation stops working.' : 'They are signed out everywhere, at once.',
        'What they changed stays in the audit log under their e-mail.',
        'Keys that they made go on working: revoke those under Developers.',
      ]}
      isOpen
      onClose={onClose}
      confirm={async () => {
        await installationApi.delete('/people/{personId}', { path: { personId } })
        toast({ text: `Removed ${email}` })
      }}
    />
  )
}
