// The cookie that carries a session: out of reach of scripts, never sent along by other sites' forms, and only over TLS where there is.
import { sessionLastsMs } from '../../operations/people/session.ts'

const cookieName = 'tollkeeper_session'

/** Undefined without one, or with several: which of them is meant nobody can know. */
export function readSessionCookie(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const values = header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${cookieName}=`))
  return values.length === 1 ? values[0]?.slice(cookieName.length + 1) : undefined
}

/** An empty token takes the cookie away. */
export function writeSessionCookie(token: string, publicUrl: string): string {
  const lasts = token === '' ? 0 : Math.floor(sessionLastsMs / 1000)
  const secure = publicUrl.startsWith('https:') ? '; Secure' : ''
  return `${cookieName}=${token}; Path=/; Max-Age=${lasts}; HttpOnly; SameSite=Lax${secure}`
}
