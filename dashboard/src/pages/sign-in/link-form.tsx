// What a one-time link asks for: the first account, an invited person's name and password, or a new password.
import { Button, PasswordInput, Skeleton, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useSearch } from 'wouter'
import { installationApi } from '../../api/client.ts'
import { ApiError } from '../../api/error.ts'
import { keepSession } from '../../api/session.ts'
import { Failure } from '../../parts/failure.tsx'
import { useForm } from '../../parts/form.ts'
import { readNext } from './next.ts'
import { Problem, SignInFrame } from './sign-in-frame.tsx'

type Kind = 'first' | 'invite' | 'reset'

const titles: Record<Kind, string> = {
  first: 'Create your account',
  invite: 'Join Tollkeeper',
  reset: 'Choose a new password',
}

export function LinkForm({ token }: { token: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['link', token],
    queryFn: () => installationApi.get('/links/{token}', { path: { token } }),
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (data !== undefined) return <Fields token={token} kind={data.kind} email={data.email} />
  if (error === null) {
    return (
      <SignInFrame title="One moment">
        <Skeleton height={160} />
      </SignInFrame>
    )
  }
  if (error instanceof ApiError && error.status === 404) return <UsedLink />
  return (
    <SignInFrame title="This did not work">
      <Failure error={error} retry={() => void refetch()} />
    </SignInFrame>
  )
}

function UsedLink() {
  return (
    <SignInFrame
      title="This link has been used, or is too old"
      text="Sign in if you have a password. Otherwise ask an admin for a new link, or run tollkeeper people where the service runs."
    >
      <Button component="a" href="/login" size="sm">
        Sign in
      </Button>
    </SignInFrame>
  )
}

function Fields({ token, kind, email }: { token: string; kind: Kind; email: string | null }) {
  const search = useSearch()
  const client = useQueryClient()
  const form = useForm({ email: email ?? '', name: '', password: '' })
  const enter = useMutation({
    mutationFn: () => {
      const { email: given, name, password } = form.values
      const body = {
        password,
        ...(kind === 'first' ? { email: given } : {}),
        ...(kind === 'reset' ? {} : { name }),
      }
      return installationApi.post('/links/{token}', { path: { token }, body })
    },
    onSuccess: (session) => {
      client.setQueryData(['session'], keepSession(session))
      window.location.replace(readNext(search))
    },
    onError: form.fail,
  })
  return (
    <SignInFrame
      title={titles[kind]}
      text={
        kind === 'first' ? 'The first person here is an admin and can invite others.' : (email ?? undefined)
      }
      onSubmit={() => enter.mutate()}
    >
      {kind === 'first' && (
        <TextInput label="E-mail" type="email" autoComplete="username" autoFocus {...form.field('email')} />
      )}
      {kind !== 'reset' && <TextInput label="Name" autoComplete="name" {...form.field('name')} />}
      <PasswordInput label="Password" autoComplete="new-password" {...form.field('password')} />
      <Problem text={form.problem} />
      <Button type="submit" size="sm" loading={enter.isPending || enter.isSuccess}>
        {kind === 'reset' ? 'Set password' : 'Create account'}
      </Button>
    </SignInFrame>
  )
}
