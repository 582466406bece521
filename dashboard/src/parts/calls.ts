// A call of the public API as text to copy: for a terminal, with the key where the shell finds it.
type Call = {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** With its query: /v1/customers/acme */
  path: string
  body?: unknown
}

// Single quotes end a shell's word: closed, written by themselves, opened again.
const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** `secret`: a key that is shown anyway, else the shell finds one in its environment. */
export function toCurl(
  { method = 'GET', path, body }: Call,
  origin = window.location.origin,
  secret?: string,
): string {
  const lines = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quote(origin + path)}`,
    secret === undefined ? '-H "x-api-key: $TOLLKEEPER_API_KEY"' : `-H ${quote(`x-api-key: ${secret}`)}`,
  ]
  if (body !== undefined) {
    lines.push("-H 'content-type: application/json'", `-d ${quote(JSON.stringify(body))}`)
  }
  return lines.join(' \\\n  ')
}
