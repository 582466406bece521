// What the pages of settings share: their head, and the way from one to the other.
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'
import { PageHeader } from '../../parts/page-header.tsx'
import classes from './settings.module.css'

const tabs = [
  { href: '/settings', title: 'People' },
  { href: '/settings/audit-log', title: 'Audit log' },
  { href: '/settings/demo', title: 'Demo data' },
  { href: '/settings/password', title: 'Your password' },
]

type Props = { title: string; actions?: ReactNode; children: ReactNode }

export function SettingsFrame({ title, actions, children }: Props) {
  const [location] = useLocation()
  return (
    <>
      <PageHeader title={title} actions={actions} />
      <nav className={classes.tabs} aria-label="Settings">
        {tabs.map(({ href, title: name }) => (
          <Link
            key={href}
            href={href}
            className={classes.tab ?? ''}
            aria-current={location === href ? 'page' : undefined}
          >
            {name}
          </Link>
        ))}
      </nav>
      {children}
    </>
  )
}
