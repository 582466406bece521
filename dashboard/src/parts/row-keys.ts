// The keyboard in a table: j and k walk its rows, e edits the one that is focused; and the row that was opened is focused again
// when somebody comes back.
import { type RefObject, useEffect, useRef } from 'react'
import { isTyping } from './typing.ts'

const opened = new Map<string, string>()

export function useRowKeys(
  body: RefObject<HTMLTableSectionElement | null>,
  name: string,
  onEdit: (index: number) => void,
): void {
  const edit = useRef(onEdit)
  edit.current = onEdit
  useEffect(() => {
    const place = `${window.location.pathname}${window.location.search} ${name}`
    const keep = (event: Event) => {
      const row = (event.target as Element).closest('tr')?.getAttribute('data-row')
      if (row && body.current?.contains(event.target as Node)) opened.set(place, row)
    }
    const press = (event: KeyboardEvent) => {
      if (isTyping(event) || event.metaKey || event.ctrlKey || event.altKey) return
      if (event.key === 'j' || event.key === 'k') {
        if (isMeant(body.current)) walk(body.current, event.key === 'j' ? 1 : -1)
      } else if (event.key === 'e') {
        const index = findFocused(body.current)
        if (index >= 0) edit.current(index)
      }
    }
    window.addEventListener('keydown', press)
    window.addEventListener('click', keep)
    return () => {
      window.removeEventListener('keydown', press)
      window.removeEventListener('click', keep)
    }
  }, [body, name])
  useRestoredRow(body, name)
}

/** Once, when the rows are there. */
function useRestoredRow(body: RefObject<HTMLTableSectionElement | null>, name: string): void {
  const isDone = useRef(false)
  useEffect(() => {
    if (isDone.current || body.current?.querySelector('[data-row]') == null) return
    isDone.current = true
    const row = opened.get(`${window.location.pathname}${window.location.search} ${name}`)
    if (row === undefined || document.activeElement !== document.body) return
    const found = body.current.querySelector(`[data-row="${CSS.escape(row)}"] [data-opens-row]`)
    if (found instanceof HTMLElement) found.focus({ preventScroll: true })
  })
}

const openers = (body: Element | null): HTMLElement[] => [
  ...(body?.querySelectorAll<HTMLElement>('[data-opens-row]') ?? []),
]

const findFocused = (body: Element | null): number => {
  const rows = [...(body?.querySelectorAll('tr[data-row]') ?? [])]
  return rows.findIndex((row) => row.contains(document.activeElement))
}

/** Of several tables the one with the focus, else the first. */
function isMeant(body: Element | null): boolean {
  const all = [...document.querySelectorAll('tbody[data-walked]')]
  return body === (all.find((each) => each.contains(document.activeElement)) ?? all[0])
}

function walk(body: Element | null, step: number): void {
  const all = openers(body)
  const at = findFocused(body)
  const next = all[at < 0 ? 0 : Math.min(Math.max(at + step, 0), all.length - 1)]
  next?.focus({ preventScroll: true })
  next?.closest('tr')?.scrollIntoView({ block: 'nearest' })
}

/** On a page of one thing the key e edits it. */
export function useEditKey(onEdit: () => void): void {
  const edit = useRef(onEdit)
  edit.current = onEdit
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'e' || isTyping(event) || event.metaKey || event.ctrlKey || event.altKey) return
      event.preventDefault()
      edit.current()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}
