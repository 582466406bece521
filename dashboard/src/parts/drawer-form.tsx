// A form in a drawer: sends, says at the field what is wrong, closes when done.
import { Button, Drawer } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { FormEvent, ReactNode } from 'react'
import classes from './drawer-form.module.css'
import type { Form } from './form.ts'

type Props<Values> = {
  title: string
  /** What the button says: a verb. */
  action: string
  isOpen: boolean
  onClose(): void
  form: Form<Values>
  /** Calls the service; what it throws is shown at its field. */
  submit(values: Values): Promise<unknown>
  /** true: stays open after it was sent, because what came back is shown in it. */
  staysOpen?: boolean
  isDisabled?: boolean
  children: ReactNode
}

export function DrawerForm<Values>(props: Props<Values>) {
  const {
    title,
    action,
    isOpen,
    onClose,
    form,
    submit,
    staysOpen = false,
    isDisabled = false,
    children,
  } = props
  const sending = useMutation({
    mutationFn: () => submit(form.values),
    onSuccess: () => !staysOpen && onClose(),
    onError: form.fail,
  })
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (!sending.isPending && !isDisabled) sending.mutate()
  }
  return (
    <Drawer
      opened={isOpen}
      onClose={onClose}
      title={title}
      size={440}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form className={classes.form} onSubmit={send} noValidate>
        <div className={classes.fields}>{children}</div>
        {form.problem !== undefined && (
          <p className={classes.problem} role="alert">
            {form.problem}
          </p>
        )}
        <div className={classes.buttons}>
          <Button type="submit" loading={sending.isPending} disabled={isDisabled}>
            {action}
          </Button>
          <Button variant="subtle" color="gray" onClick={onClose}>
            Cancel
          </Button>
        </div>
      </form>
    </Drawer>
  )
}
