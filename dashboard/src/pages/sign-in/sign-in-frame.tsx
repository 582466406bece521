// The narrow page around the forms for whoever is not signed in yet.
import type { FormEvent, ReactNode } from 'react'
import { useEffect } from 'react'
import { Mark } from '../../frame/mark.tsx'
import classes from './sign-in-frame.module.css'

type Props = { title: string; text?: ReactNode; children?: ReactNode; onSubmit?: () => void }

export function SignInFrame({ title, text, children, onSubmit }: Props) {
  useEffect(() => {
    document.title = `${title} · Tollkeeper`
  }, [title])
  const send = (event: FormEvent) => {
    event.preventDefault()
    onSubmit?.()
  }
  return (
    <main className={classes.page}>
      <form className={classes.form} onSubmit={send} noValidate>
        <div className={classes.head}>
          <Mark size={36} />
          <h1>{title}</h1>
          {text !== undefined && <p className={classes.text}>{text}</p>}
        </div>
        {children}
      </form>
    </main>
  )
}

/** What went wrong, where it belongs to no field. */
export function Problem({ text }: { text: string | undefined }) {
  return text === undefined ? null : (
    <p className={classes.problem} role="alert">
      {text}
    </p>
  )
}
