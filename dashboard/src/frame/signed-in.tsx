// What is shown only to whoever is signed in; others are led to sign in by the client.
import type { ReactNode } from 'react'
import { ApiError } from '../api/error.ts'
import { SessionContext, useSessionQuery } from '../api/session.ts'
import { Failure } from '../parts/failure.tsx'
import { FrameSkeleton } from './frame-skeleton.tsx'

export function SignedIn({ children }: { children: ReactNode }) {
  const { data, error, refetch } = useSessionQuery()
  if (data !== undefined) return <SessionContext value={data}>{children}</SessionContext>
  const isLeaving = error instanceof ApiError && error.code === 'signed_out'
  if (error === null || isLeaving) return <FrameSkeleton />
  return <Failure error={error} retry={() => void refetch()} />
}
