// What a page knows of its customer's access: loaded from your handler, one request at a time, watched by components.
import type { AccessMap } from '../resources/feature-access.ts'

/** `access` stays the last that was known when a later load fails. */
export type AccessSnapshot = {
  access: AccessMap | undefined
  isLoading: boolean
  error: Error | undefined
}

export type AccessStore = {
  getSnapshot(): AccessSnapshot
  /** What the server rendered, and what the browser renders first. */
  getServerSnapshot(): AccessSnapshot
  subscribe(listener: () => void): () => void
  /** Loads anew; callers who come while it loads share the load. Never rejects: a failure is in the snapshot. */
  refresh(): Promise<void>
  /** Ends a load under way. */
  stop(): void
}

type LoadOptions = { url: string; fetch: typeof fetch; initialAccess: AccessMap | undefined }

const timeoutMs = 10_000

export function createAccessStore({ url, fetch, initialAccess }: LoadOptions): AccessStore {
  const listeners = new Set<() => void>()
  const first: AccessSnapshot = {
    access: initialAccess,
    isLoading: initialAccess === undefined,
    error: undefined,
  }
  let snapshot = first
  let loading: { controller: AbortController; done: Promise<void> } | undefined

  function set(next: AccessSnapshot): void {
    snapshot = next
    for (const listener of listeners) listener()
  }

  async function load(controller: AbortController): Promise<void> {
    const timer = setTimeout(
      () => controller.abort(new Error('Access could not be read in time.')),
      timeoutMs,
    )
    try {
      const response = await fetch(url, { credentials: 'same-origin', signal: controller.signal })
      if (!response.ok) throw new Error(`Access could not be read: the handler answered ${response.status}.`)
      const access = (await response.json()) as AccessMap
      if (loading?.controller === controller) set({ access, isLoading: false, error: undefined })
    } catch (error) {
      const isOurs = loading?.controller === controller
      if (isOurs)
        set({
          ...snapshot,
          isLoading: false,
          error: error instanceof Error ? error : new Error(String(error)),
        })
    } finally {
      clearTimeout(timer)
      if (loading?.controller === controller) loading = undefined
    }
  }

  return {
    getSnapshot: () => snapshot,
    getServerSnapshot: () => first,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    refresh() {
      if (loading) return loading.done
      if (!snapshot.isLoading) set({ ...snapshot, isLoading: true })
      const controller = new AbortController()
      // Set before it begins: a load that ends at once must find itself here.
      loading = { controller, done: Promise.resolve() }
      loading.done = load(controller)
      return loading.done
    },
    stop() {
      const { controller } = loading ?? {}
      loading = undefined
      controller?.abort()
    },
  }
}
