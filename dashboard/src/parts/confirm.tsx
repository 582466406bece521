// Asks before something is destroyed, and names what will be lost; in live the thing's name has to be typed.
import { Button, Modal, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useEnvironment } from '../api/environment.ts'
import classes from './confirm.module.css'

type Props = {
  title: string
  /** What the button says: "Delete customer". */
  action: string
  /** The name that has to be typed in live. */
  name: string
  /** What will be lost, line by line. */
  losses: ReactNode[]
  isOpen: boolean
  onClose(): void
  confirm(): Promise<unknown>
}

export function Confirm(props: Props) {
  return (
    <Modal
      opened={props.isOpen}
      onClose={props.onClose}
      title={props.title}
      size={440}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Question {...props} />
    </Modal>
  )
}

function Question({ action, name, losses, onClose, confirm }: Props) {
  const mustType = useEnvironment() === 'live'
  const [typed, setTyped] = useState('')
  const confirming = useMutation({ mutationFn: confirm, onSuccess: onClose })
  const isReady = !mustType || typed === name
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (isReady && !confirming.isPending) confirming.mutate()
  }
  return (
    <form className={classes.question} onSubmit={send}>
      <ul className={classes.losses}>
        {losses.map((loss, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines do not move
          <li key={index}>{loss}</li>
        ))}
      </ul>
      {mustType && (
        <TextInput
          label={`Type ${name} to confirm`}
          value={typed}
          autoComplete="off"
          data-autofocus
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      )}
      {confirming.error !== null && (
        <p className={classes.problem} role="alert">
          {confirming.error.message}
        </p>
      )}
      <div className={classes.buttons}>
        <Button type="submit" color="red.8" disabled={!isReady} loading={confirming.isPending}>
          {action}
        </Button>
        <Button variant="subtle" color="gray" onClick={onClose}>
          Keep
        </Button>
      </div>
    </form>
  )
}
