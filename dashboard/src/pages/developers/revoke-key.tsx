// Revokes an API key, after saying what stops working.
import { useApi } from '../../api/environment.ts'
import type { ApiKey } from '../../api/generated.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Time } from '../../parts/time.tsx'
import { useToast } from '../../parts/toast.tsx'

export function RevokeKey({ apiKey, onClose }: { apiKey: ApiKey; onClose(): void }) {
  const api = useApi()
  const toast = useToast()
  const { keyId, name, lastFour, lastUsedAt } = apiKey
  return (
    <Confirm
      title={`Revoke ${name}?`}
      action="Revoke key"
      name={name}
      losses={[
        `Every request with the key that ends in ${lastFour} is refused from now on, with status 401.`,
        lastUsedAt === null ? (
          'It has never been used.'
        ) : (
          <>
            It was last used: <Time at={lastUsedAt} isReal />.
          </>
        ),
        'It cannot be brought back; rotate it instead to exchange it without a gap.',
      ]}
      isOpen
      onClose={onClose}
      confirm={async () => {
        await api.delete('/keys/{keyId}', { path: { keyId } })
        toast({ text: `Revoked ${name}` })
      }}
    />
  )
}
