// Above every page: the palette, the colour scheme and who is signed in.
import {
  ActionIcon,
  Menu,
  Tooltip,
  UnstyledButton,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core'
import { IconMenu2, IconMoon, IconSearch, IconSun } from '@tabler/icons-react'
import { useSession } from '../api/session.ts'
import { useSignOut } from './sign-out.ts'
import classes from './top-bar.module.css'

type Props = { onMenu(): void; onPalette(): void; onKeys(): void }

const isApple = /Mac|iPhone|iPad/.test(navigator.platform)
export const paletteKeys = isApple ? '⌘K' : 'Ctrl K'

export function TopBar({ onMenu, onPalette, onKeys }: Props) {
  return (
    <div className={classes.bar}>
      <ActionIcon
        className={classes.menu ?? ''}
        variant="subtle"
        color="gray"
        aria-label="Open the menu"
        onClick={onMenu}
      >
        <IconMenu2 size={18} />
      </ActionIcon>
      <UnstyledButton className={classes.palette} onClick={onPalette}>
        <IconSearch size={14} aria-hidden />
        <span>Search or do…</span>
        <kbd className={classes.keys}>{paletteKeys}</kbd>
      </UnstyledButton>
      <div className={classes.right}>
        <ColourSwitch />
        <Person onKeys={onKeys} />
      </div>
    </div>
  )
}

function ColourSwitch() {
  const { setColorScheme } = useMantineColorScheme()
  const isDark = useComputedColorScheme('light') === 'dark'
  const label = isDark ? 'Light colours' : 'Dark colours'
  return (
    <Tooltip label={label}>
      <ActionIcon
        variant="subtle"
        color="gray"
        c="var(--ink-soft)"
        aria-label={label}
        onClick={() => setColorScheme(isDark ? 'light' : 'dark')}
      >
        {isDark ? <IconSun size={17} /> : <IconMoon size={17} />}
      </ActionIcon>
    </Tooltip>
  )
}

function Person({ onKeys }: { onKeys(): void }) {
  const { person, version } = useSession()
  const signOut = useSignOut()
  return (
    <Menu width={220}>
      <Menu.Target>
        <UnstyledButton className={classes.person} aria-label={`Signed in as ${person.name || person.email}`}>
          {writeInitials(person.name || person.email)}
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={classes.who}>
          <div>{person.name}</div>
          <div className={classes.email}>{person.email}</div>
          <div className={classes.email}>{roles[person.role]}</div>
        </div>
        <Menu.Divider />
        <Menu.Item component="a" href="/docs" target="_blank">
          API reference
        </Menu.Item>
        <Menu.Item onClick={onKeys} rightSection={<kbd className={classes.keys}>?</kbd>}>
          Keyboard shortcuts
        </Menu.Item>
        <Menu.Item onClick={signOut}>Sign out</Menu.Item>
        <Menu.Divider />
        <Menu.Label>Tollkeeper {version}</Menu.Label>
      </Menu.Dropdown>
    </Menu>
  )
}

const roles = { admin: 'Admin', member: 'Member', read: 'Read only' }

const writeInitials = (name: string): string =>
  name
    .split(/[\s.@_-]+/)
    .slice(0, 2)
    .map((part) => part.slice(0, 1).toUpperCase())
    .join('')
