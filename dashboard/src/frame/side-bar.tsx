// Where one can go, and in which environment.
import { Tooltip } from '@mantine/core'
import { Link, useLocation } from 'wouter'
import { useEnvironment } from '../api/environment.ts'
import { findPlaces, type Page } from '../pages.tsx'
import { EnvironmentSwitch } from './environment-switch.tsx'
import { Mark } from './mark.tsx'
import classes from './side-bar.module.css'

type Props = {
  /** In a sheet it never folds to icons. */
  isSheet?: boolean
  onLeave?: () => void
}

const groups: (Page['group'] | undefined)[] = [undefined, 'Payments', 'Build', 'Installation']

export function SideBar({ isSheet = false, onLeave }: Props) {
  const environment = useEnvironment()
  return (
    <div className={`${classes.bar} ${isSheet ? '' : classes.folds}`}>
      {!isSheet && (
        <Link href="/" className={classes.brand} aria-label="Tollkeeper, home">
          <Mark />
          <span className={classes.text}>Tollkeeper</span>
        </Link>
      )}
      <EnvironmentSwitch isFolding={!isSheet} />
      <nav aria-label="Pages">
        {groups.map((group) => {
          const shown = findPlaces(environment).filter((page) => page.group === group)
          if (shown.length === 0) return null
          return (
            <div key={group ?? 'first'} className={classes.group}>
              {group !== undefined && <div className={classes.heading}>{group}</div>}
              {shown.map((page) => (
                <Item key={page.route} page={page} {...(onLeave ? { onLeave } : {})} />
              ))}
            </div>
          )
        })}
      </nav>
    </div>
  )
}

function Item({ page, onLeave }: { page: Page; onLeave?: () => void }) {
  // Drawn again when it changes.
  useLocation()
  const environment = useEnvironment()
  const address = page.isOutside
    ? page.route
    : page.route === '/'
      ? `/${environment}`
      : `/${environment}${page.route}`
  const here = window.location.pathname
  const isHere =
    page.route === '/'
      ? here.replace(/\/$/, '') === address
      : here === address || here.startsWith(`${address}/`)
  const Icon = page.icon as NonNullable<Page['icon']>
  return (
    <Tooltip label={page.title} position="right" events={{ hover: true, focus: true, touch: false }}>
      <Link
        href={`~${address}`}
        className={classes.item ?? ''}
        aria-current={isHere ? 'page' : undefined}
        onClick={() => onLeave?.()}
        onMouseEnter={() => void page.load()}
        onFocus={() => void page.load()}
      >
        <Icon size={17} stroke={1.7} />
        <span className={classes.text}>{page.title}</span>
      </Link>
    </Tooltip>
  )
}
