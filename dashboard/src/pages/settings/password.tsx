// Settings, your password: everybody changes their own.
import { Button, PasswordInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { installationApi } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { useForm } from '../../parts/form.ts'
import { useToast } from '../../parts/toast.tsx'
import { nameOfRole } from './roles.ts'
import classes from './settings.module.css'
import { SettingsFrame } from './settings-frame.tsx'

const empty = { currentPassword: '', newPassword: '' }

export function Password() {
  const { email, role } = useSession().person
  const toast = useToast()
  const form = useForm(empty)
  const change = useMutation({
    mutationFn: () => installationApi.put('/session/password', { body: form.values }),
    onSuccess: () => {
      form.reset()
      toast({ text: 'Changed your password; your other sessions have ended' })
    },
    onError: form.fail,
  })
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (!change.isPending) change.mutate()
  }
  return (
    <SettingsFrame title="Your password">
      <form className={classes.form} onSubmit={send} noValidate>
        <p className={classes.soft}>
          You are signed in as {email}, {nameOfRole(role)}. Other browsers in which you are signed in are
          signed out.
        </p>
        <input type="email" autoComplete="username" value={email} readOnly hidden />
        <PasswordInput
          label="Current password"
          autoComplete="current-password"
          required
          {...form.field('currentPassword')}
        />
        <PasswordInput
          label="New password"
          autoComplete="new-password"
          required
          {...form.field('newPassword')}
        />
        {form.problem !== undefined && (
          <p className={classes.problem} role="alert">
            {form.problem}
          </p>
        )}
        <Button type="submit" loading={change.isPending}>
          Change password
        </Button>
      </form>
    </SettingsFrame>
  )
}
