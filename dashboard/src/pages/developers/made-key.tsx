// A key that was just made: shown this once, with calls that use it, and a line that waits for its first request.
import { Button, Drawer, Tabs } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { MadeKey as Made } from '../../api/generated.ts'
import { useGet } from '../../api/queries.ts'
import { toCurl } from '../../parts/calls.ts'
import { CodeBlock } from '../../parts/code-block.tsx'
import classes from './developers.module.css'
import type { LogLine } from './request-log.ts'

type Props = { made: Made | undefined; first: LogLine | undefined; onClose(): void }

export function MadeKey({ made, first, onClose }: Props) {
  return (
    <Drawer
      opened={made !== undefined}
      onClose={onClose}
      title="Copy the key now"
      size={560}
      // Whoever clicks beside it by mistake would lose the key.
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {made !== undefined && <Secret made={made} first={first} onClose={onClose} />}
    </Drawer>
  )
}

function Secret({ made, first, onClose }: { made: Made; first: LogLine | undefined; onClose(): void }) {
  const customers = useGet('/v1/customers', { query: { limit: 1 } })
  const customerId = customers.data?.customers[0]?.customerId ?? 'acme'
  const path = `/v1/feature-access?customerId=${encodeURIComponent(customerId)}`
  const hasBeenUsed = useHasBeenUsed(made.keyId) || first !== undefined
  return (
    <div className={classes.made}>
      <div>
        <p className={classes.soft}>It is stored as a hash only and will not be shown again.</p>
        <CodeBlock text={made.secret} label="Copy the key" />
      </div>
      <Tabs defaultValue="curl" keepMounted={false}>
        <Tabs.List mb={12}>
          <Tabs.Tab value="curl">curl</Tabs.Tab>
          <Tabs.Tab value="sdk">SDK</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="curl">
          <CodeBlock text={toCurl({ path }, window.location.origin, made.secret)} />
        </Tabs.Panel>
        <Tabs.Panel value="sdk">
          <CodeBlock text={writeSdk(made.secret, customerId)} />
        </Tabs.Panel>
      </Tabs>
      <p className={`${classes.waiting} ${hasBeenUsed ? classes.received : ''}`} role="status">
        {hasBeenUsed ? <IconCheck size={16} aria-hidden /> : <span className={classes.dot} aria-hidden />}
        {hasBeenUsed ? 'First request received' : 'Waiting for the first request with this key…'}
        {first !== undefined && (
          <code className={classes.mono}>
            {first.method} {first.path} {first.status}
          </code>
        )}
      </p>
      <div>
        <Button onClick={onClose}>I have copied it</Button>
      </div>
    </div>
  )
}

/** Also when the live log was not open at the time. */
function useHasBeenUsed(keyId: string): boolean {
  const keys = useGet('/keys', {}, { isLive: true })
  return keys.data?.keys.some((key) => key.keyId === keyId && key.lastUsedAt !== null) ?? false
}

const writeSdk = (secret: string, customerId: string): string =>
  [
    "import { Tollkeeper } from '@tollkeeper/sdk'",
    '',
    'const tk = new Tollkeeper({',
    `  apiKey: '${secret}',`,
    `  baseUrl: '${window.location.origin}',`,
    '})',
    `console.log(await tk.access(${JSON.stringify(customerId)}))`,
  ].join('\n')
