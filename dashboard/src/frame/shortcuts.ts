// Keys that work on every page. Two keys one after the other (g c) lead to pages; others belong to what is shown.
import { useEffect, useRef } from 'react'
import { useLocation } from 'wouter'
import { pages } from '../pages.tsx'
import { isTyping } from '../parts/typing.ts'

const sequenceMs = 1000

type Actions = { openPalette(): void; showKeys(): void }

export function useShortcuts(actions: Actions): void {
  const [, navigate] = useLocation()
  const latest = useRef({ ...actions, navigate })
  latest.current = { ...actions, navigate }
  useEffect(() => {
    let first: { key: string; at: number } | undefined
    const press = (event: KeyboardEvent) => {
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        latest.current.openPalette()
        return
      }
      if (isTyping(event) || event.metaKey || event.ctrlKey || event.altKey) return
      const before = first !== undefined && event.timeStamp - first.at < sequenceMs ? `${first.key} ` : ''
      const page = pages.find(({ shortcut }) => shortcut === `${before}${event.key}`)
      first = { key: event.key, at: event.timeStamp }
      if (page !== undefined) {
        event.preventDefault()
        latest.current.navigate(page.isOutside ? `~${page.route}` : page.route)
      } else if (event.key === '?') latest.current.showKeys()
      else if (event.key === '/') focusSearch(event)
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}

function focusSearch(event: KeyboardEvent): void {
  const field = document.querySelector<HTMLInputElement>('[data-page-search]')
  if (field === null) return
  event.preventDefault()
  field.focus()
  field.select()
}
