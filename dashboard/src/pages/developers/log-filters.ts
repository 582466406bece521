// Which lines of the live log are shown.
import type { LogLine } from './request-log.ts'

export type LogFilters = Partial<Record<'path' | 'method' | 'outcome' | 'key', string>>

export const outcomes = [
  { value: 'ok', label: 'Answered (2xx)' },
  { value: 'error', label: 'Refused (4xx)' },
  { value: '429', label: 'Too many (429)' },
  { value: 'failed', label: 'Failed (5xx)' },
]

const spans: Record<string, [from: number, to: number]> = {
  ok: [200, 399],
  error: [400, 499],
  '429': [429, 429],
  failed: [500, 599],
}

export function matchesFilters(line: LogLine, { path, method, outcome, key }: LogFilters): boolean {
  const span = outcome === undefined ? undefined : spans[outcome]
  if (span !== undefined && (line.status < span[0] || line.status > span[1])) return false
  if (method !== undefined && line.method !== method) return false
  if (key !== undefined && line.keyId !== key) return false
  if (path === undefined) return true
  const word = path.toLowerCase()
  return [line.path, line.requestId, line.code ?? ''].some((text) => text.toLowerCase().includes(word))
}
