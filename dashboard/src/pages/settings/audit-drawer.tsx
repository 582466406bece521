// One entry of the audit log, with the difference that it made.
import { Drawer } from '@mantine/core'
import type { AuditEntry } from '../../api/generated.ts'
import { readActor, writeAction } from '../../parts/audit-words.ts'
import { Difference } from '../../parts/difference.tsx'
import { Fact, Facts } from '../../parts/facts.tsx'
import { formatTime, formatUtc } from '../../parts/format.ts'
import { Id } from '../../parts/id.tsx'
import classes from './settings.module.css'

type Props = { entry: AuditEntry | undefined; keyNames: Map<string, string>; onClose(): void }

export function AuditDrawer({ entry, keyNames, onClose }: Props) {
  return (
    <Drawer
      opened={entry !== undefined}
      onClose={onClose}
      title={entry === undefined ? 'Change' : writeAction(entry.action)}
      size={640}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {entry !== undefined && <Entry entry={entry} keyNames={keyNames} />}
    </Drawer>
  )
}

function Entry({ entry, keyNames }: { entry: AuditEntry; keyNames: Map<string, string> }) {
  const { kind, name } = readActor(entry.actor)
  return (
    <div className={classes.entry}>
      <Facts>
        <Fact name="Of">
          <Id value={entry.subject} />
        </Fact>
        <Fact name="By">
          {kind === 'key' ? (
            <>
              key {keyNames.get(name)} <Id value={name} />
            </>
          ) : (
            name
          )}
        </Fact>
        <Fact name="When">
          <span title={formatUtc(entry.at)}>{formatTime(entry.at)}</span>
        </Fact>
        <Fact name="Action">
          <code>{entry.action}</code>
        </Fact>
        {entry.requestId !== null && (
          <Fact name="Request">
            <Id value={entry.requestId} />
          </Fact>
        )}
      </Facts>
      <Difference before={entry.before} after={entry.after} />
    </div>
  )
}
