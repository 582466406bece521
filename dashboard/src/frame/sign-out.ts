// Ends the session and goes to sign in; nothing of what was shown is kept.
import { useQueryClient } from '@tanstack/react-query'
import { installationApi } from '../api/client.ts'
import { useToast } from '../parts/toast.tsx'

export function useSignOut(): () => void {
  const client = useQueryClient()
  const toast = useToast()
  return () => {
    installationApi.delete('/session').then(
      () => {
        client.clear()
        window.location.assign('/login')
      },
      (error: Error) => toast({ text: error.message, isError: true }),
    )
  }
}
