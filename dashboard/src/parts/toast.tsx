// Short words about what was done, at the foot of the page, with undo where it can be undone.
import { Button, CloseButton } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from 'react'
import classes from './toast.module.css'

export type Toast = {
  text: string
  /** Takes back what was done. */
  undo?: () => Promise<unknown>
  isError?: boolean
}

const ToastContext = createContext<(toast: Toast) => void>(() => {})

export const useToast = () => useContext(ToastContext)

const shownMs = 6000
const most = 3

export function Toaster({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<(Toast & { no: number })[]>([])
  const nextNo = useRef(1)
  const remove = useCallback((no: number) => setShown((all) => all.filter((each) => each.no !== no)), [])
  const toast = useCallback(
    (added: Toast) => {
      const no = nextNo.current++
      setShown((all) => [...all.slice(1 - most), { ...added, no }])
      setTimeout(() => remove(no), shownMs)
    },
    [remove],
  )
  const client = useQueryClient()
  const undo = useMemo(
    () => (added: Toast & { no: number }) => {
      remove(added.no)
      added.undo?.().then(
        () => {
          toast({ text: 'Undone' })
          return client.invalidateQueries()
        },
        (error: Error) => toast({ text: error.message, isError: true }),
      )
    },
    [client, remove, toast],
  )
  return (
    <ToastContext value={toast}>
      {children}
      <div className={classes.place} role="status" aria-live="polite">
        {shown.map((each) => (
          <div key={each.no} className={`${classes.toast} ${each.isError ? classes.error : ''}`}>
            <span className={classes.text}>{each.text}</span>
            {each.undo !== undefined && (
              <Button size="compact-xs" variant="subtle" color="gray.0" onClick={() => undo(each)}>
                Undo
              </Button>
            )}
            <CloseButton
              size="xs"
              variant="transparent"
              c="inherit"
              aria-label="Dismiss"
              onClick={() => remove(each.no)}
            />
          </div>
        ))}
      </div>
    </ToastContext>
  )
}
