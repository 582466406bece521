// Signing in with e-mail and password; with the link of the first start, making the first account.
import { Button, PasswordInput, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useSearch } from 'wouter'
import { installationApi } from '../../api/client.ts'
import { keepSession } from '../../api/session.ts'
import { useForm } from '../../parts/form.ts'
import { LinkForm } from './link-form.tsx'
import { readNext } from './next.ts'
import { Problem, SignInFrame } from './sign-in-frame.tsx'

export function Login() {
  const token = new URLSearchParams(useSearch()).get('token')
  return token === null ? <PasswordForm /> : <LinkForm token={token} />
}

function PasswordForm() {
  const search = useSearch()
  const client = useQueryClient()
  const form = useForm({ email: '', password: '' })
  const signIn = useMutation({
    mutationFn: () => installationApi.post('/session', { body: form.values }),
    onSuccess: (session) => {
      client.setQueryData(['session'], keepSession(session))
      window.location.replace(readNext(search))
    },
  })
  return (
    <SignInFrame title="Sign in" onSubmit={() => signIn.mutate()}>
      <TextInput label="E-mail" type="email" autoComplete="username" autoFocus {...form.field('email')} />
      <PasswordInput label="Password" autoComplete="current-password" {...form.field('password')} />
      <Problem text={signIn.error?.message} />
      <Button type="submit" size="sm" loading={signIn.isPending || signIn.isSuccess}>
        Sign in
      </Button>
    </SignInFrame>
  )
}
