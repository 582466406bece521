// Developers: API keys, how many requests came with them, and each request live.
import { useCallback, useState } from 'react'
import type { MadeKey as Made } from '../../api/generated.ts'
import { toCurl } from '../../parts/calls.ts'
import { CopyAs } from '../../parts/copy-as.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import classes from './developers.module.css'
import { Keys } from './keys.tsx'
import { LiveLog } from './live-log.tsx'
import { MadeKey } from './made-key.tsx'
import { RequestCharts } from './request-charts.tsx'
import { type LogLine, useRequestLog } from './request-log.ts'

const tried = [
  {
    name: 'May a customer use a feature?',
    curl: () => toCurl({ path: '/v1/check?customerId=acme&featureKey=api_calls' }),
    sdk: "await tk.check('acme', 'api_calls')",
  },
  {
    name: 'Record usage',
    curl: () =>
      toCurl({
        method: 'POST',
        path: '/v1/usage',
        body: { customerId: 'acme', featureKey: 'api_calls', eventKey: 'request-1', amount: 1 },
      }),
    sdk: "await tk.track('acme', 'api_calls', 1, { eventKey: 'request-1' })",
  },
]

export function Developers() {
  const [made, setMade] = useState<Made>()
  const [first, setFirst] = useState<LogLine>()
  const log = useRequestLog((line) => {
    if (line.keyId === made?.keyId) setFirst((before) => before ?? line)
  })
  const show = useCallback((key: Made) => {
    setFirst(undefined)
    setMade(key)
  }, [])
  return (
    <>
      <PageHeader
        title="Developers"
        actions={<CopyAs calls={tried.map(({ curl, ...call }) => ({ ...call, curl: curl() }))} />}
      />
      <div className={classes.sections}>
        <Keys onMade={show} />
        <RequestCharts />
        <LiveLog log={log} />
      </div>
      <MadeKey made={made} first={first} onClose={() => setMade(undefined)} />
    </>
  )
}
