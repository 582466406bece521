// What a line of the live log shows.
import { Badge, type Tone } from '../../parts/badge.tsx'
import { formatAmount, formatUtc } from '../../parts/format.ts'
import type { Column } from '../../parts/table.tsx'
import classes from './developers.module.css'
import type { LogLine } from './request-log.ts'

const pad = (part: number, length = 2) => String(part).padStart(length, '0')

/** 09:30:12.045, in the viewer's zone. */
function formatMoment(at: number): string {
  const date = new Date(at)
  return `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}.${pad(date.getMilliseconds(), 3)}`
}

export function toneOfStatus(status: number): Tone {
  if (status >= 500) return 'red'
  return status >= 400 ? 'amber' : 'green'
}

export const logColumns: Column<LogLine>[] = [
  {
    title: 'Time',
    width: 110,
    cell: ({ at }) => (
      <time className={classes.mono} title={formatUtc(at)}>
        {formatMoment(at)}
      </time>
    ),
  },
  {
    title: 'Status',
    width: 70,
    cell: ({ status }) => <Badge tone={toneOfStatus(status)}>{status}</Badge>,
  },
  {
    title: 'Method',
    width: 80,
    from: 700,
    cell: ({ method }) => <code className={classes.mono}>{method}</code>,
  },
  {
    title: 'Path',
    cell: ({ path }) => (
      <code className={classes.path} title={path}>
        {path}
      </code>
    ),
  },
  { title: 'Code', width: 150, from: 1000, cell: ({ code }) => <code className={classes.mono}>{code}</code> },
  {
    title: 'Key',
    width: 150,
    from: 700,
    cell: ({ keyName, keyId }) => <span className={classes.keyName}>{keyName ?? keyId}</span>,
  },
  {
    title: 'ms',
    width: 70,
    align: 'right',
    from: 700,
    cell: ({ ms }) => formatAmount(ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms)),
  },
]
