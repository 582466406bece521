// Who is signed in, and what that person may do.
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { createContext, useContext } from 'react'
import { installationApi, keepCsrfToken } from './client.ts'
import { useEnvironment } from './environment.ts'
import type { AnswerOf, InstallationOperations } from './operations.ts'

export type Session = AnswerOf<InstallationOperations['GET /session']>

export const SessionContext = createContext<Session | undefined>(undefined)

/** Within the frame there always is one. */
export function useSession(): Session {
  const session = useContext(SessionContext)
  if (session === undefined) throw new Error('Nobody is signed in here.')
  return session
}

export function useSessionQuery(): UseQueryResult<Session, Error> {
  return useQuery({
    queryKey: ['session'],
    queryFn: async () => keepSession(await installationApi.get('/session')),
    staleTime: 60_000,
  })
}

export function keepSession(session: Session): Session {
  keepCsrfToken(session.csrfToken)
  return session
}

/** Whether the person may change things; `admin`: people, and keys of live. */
export function useMay(access: 'write' | 'admin' = 'write'): boolean {
  const { role } = useSession().person
  return access === 'admin' ? role === 'admin' : role !== 'read'
}

/** What the environment's payment provider is. */
export const useProviderMode = (): 'simulator' | 'account' | 'none' =>
  useSession().environments[useEnvironment()].provider
