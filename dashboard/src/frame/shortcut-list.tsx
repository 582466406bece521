// The keys, shown with ?.
import { Modal } from '@mantine/core'
import { pages } from '../pages.tsx'
import classes from './shortcut-list.module.css'
import { paletteKeys } from './top-bar.tsx'

const general: [keys: string, what: string][] = [
  [paletteKeys, 'Search or do anything'],
  ['/', 'Search this page'],
  ['j  k', 'Next and previous row'],
  ['Enter', 'Open the row'],
  ['e', 'Edit what is shown, or the row'],
  ['Esc', 'Close what is open'],
  ['?', 'These keys'],
]

export function ShortcutList({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const leading = pages.flatMap(({ shortcut, title }): [string, string][] =>
    shortcut === undefined ? [] : [[shortcut, `Go to ${title}`]],
  )
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      title="Keyboard shortcuts"
      size={420}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <dl className={classes.list}>
        {[...general, ...leading].map(([keys, what]) => (
          <div key={what} className={classes.row}>
            <dt>{what}</dt>
            <dd>
              {keys.split(/\s+/).map((key) => (
                <kbd key={key} className={classes.key}>
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Modal>
  )
}
