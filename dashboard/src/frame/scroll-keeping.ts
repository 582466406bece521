// Going back leads to where a page was scrolled to; going forward begins at its top.
import { useEffect, useRef } from 'react'

const places = new Map<string, number>()
const settleMs = 1500
const most = 200

const address = () => window.location.pathname + window.location.search

export function useScrollKeeping(location: string): void {
  const isBack = useRef(false)
  useEffect(() => {
    window.history.scrollRestoration = 'manual'
    const keep = () => {
      if (places.size >= most) places.clear()
      places.set(address(), window.scrollY)
    }
    const noteBack = () => {
      isBack.current = true
    }
    window.addEventListener('scroll', keep, { passive: true })
    window.addEventListener('popstate', noteBack)
    return () => {
      window.removeEventListener('scroll', keep)
      window.removeEventListener('popstate', noteBack)
    }
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: it runs when the location changes
  useEffect(() => {
    if (!isBack.current) {
      window.scrollTo(0, 0)
      return
    }
    isBack.current = false
    return restore(places.get(address()) ?? 0)
  }, [location])
}

/** The page may still be growing to its old height: it is followed for a moment, or until somebody scrolls. */
function restore(to: number): () => void {
  const stop = () => {
    observer.disconnect()
    clearTimeout(timer)
    window.removeEventListener('wheel', stop)
    window.removeEventListener('keydown', stop)
  }
  const observer = new ResizeObserver(() => {
    window.scrollTo(0, to)
    if (window.scrollY >= to) stop()
  })
  const timer = setTimeout(stop, settleMs)
  window.addEventListener('wheel', stop, { passive: true })
  window.addEventListener('keydown', stop)
  observer.observe(document.body)
  return stop
}
