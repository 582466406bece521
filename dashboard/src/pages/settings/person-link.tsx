// A link for a person, shown this once: to join, or for a new password.
import { Button, Modal } from '@mantine/core'
import { CodeBlock } from '../../parts/code-block.tsx'
import { formatTime } from '../../parts/format.ts'
import classes from './settings.module.css'

export type MadeLink = { email: string; url: string; kind: 'join' | 'password'; expiresAt?: number }

export function PersonLink({ link, onClose }: { link: MadeLink | undefined; onClose(): void }) {
  return (
    <Modal
      opened={link !== undefined}
      onClose={onClose}
      title={link?.kind === 'password' ? `New password for ${link.email}` : `Invitation for ${link?.email}`}
      size={520}
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {link !== undefined && (
        <div className={classes.made}>
          <p>
            Pass this link on to {link.email}. It works once
            {link.expiresAt === undefined ? ', within seven days,' : `, until ${formatTime(link.expiresAt)},`}{' '}
            and is not shown again.
          </p>
          <CodeBlock text={link.url} label="Copy the link" />
          <div>
            <Button onClick={onClose}>Done</Button>
          </div>
        </div>
      )}
    </Modal>
  )
}
