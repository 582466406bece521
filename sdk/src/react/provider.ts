// The provider: holds what the page knows of its customer's access, and keeps it current.
'use client'
import { createContext, createElement, type ReactNode, useEffect, useState } from 'react'
import type { AccessMap } from '../resources/feature-access.ts'
import { type AccessStore, createAccessStore } from './access-store.ts'

export type TollkeeperProviderProps = {
  /** Where your handler answers: `/api/access`. */
  url: string
  /** What the server read with `tk.access(customerId)`: then the first rendering is whole, there and here. */
  initialAccess?: AccessMap | undefined
  /** Reads anew this often, and not at all by itself unless given. */
  refreshIntervalMs?: number | undefined
  /** Reads anew when the page is looked at again: true unless given. */
  refreshOnFocus?: boolean | undefined
  /** Instead of the global `fetch`. */
  fetch?: typeof fetch | undefined
  children?: ReactNode
}

export const AccessContext = createContext<AccessStore | undefined>(undefined)

/** Another customer needs another provider: give it a `key` of the customer's id. */
export function TollkeeperProvider(props: TollkeeperProviderProps): ReactNode {
  const { url, initialAccess, refreshIntervalMs, refreshOnFocus = true, children } = props
  const [store] = useState(() =>
    createAccessStore({ url, initialAccess, fetch: props.fetch ?? ((input, init) => fetch(input, init)) }),
  )
  useEffect(() => {
    if (store.getSnapshot().access === undefined) store.refresh()
    return () => store.stop()
  }, [store])
  useEffect(() => {
    if (refreshIntervalMs === undefined) return
    const timer = setInterval(() => store.refresh(), Math.max(1_000, refreshIntervalMs))
    return () => clearInterval(timer)
  }, [store, refreshIntervalMs])
  useEffect(() => {
    if (!refreshOnFocus) return
    const onChange = () => {
      if (document.visibilityState === 'visible') store.refresh()
    }
    document.addEventListener('visibilitychange', onChange)
    return () => document.removeEventListener('visibilitychange', onChange)
  }, [store, refreshOnFocus])
  return createElement(AccessContext.Provider, { value: store }, children)
}
