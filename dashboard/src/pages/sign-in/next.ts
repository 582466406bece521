// Where to go after signing in: back to where it was, and never to another site.
import { readLastEnvironment } from '../../api/environment.ts'

export function readNext(search: string): string {
  const next = new URLSearchParams(search).get('next') ?? ''
  const isOwn = /^\/(test|live|settings)([/?]|$)/.test(next)
  return isOwn ? next : `/${readLastEnvironment()}`
}
