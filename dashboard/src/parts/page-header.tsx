// The head of a page: what it shows, in its title too, and what can be done here.
import type { ReactNode } from 'react'
import { useEffect } from 'react'
import { useEnvironment } from '../api/environment.ts'
import classes from './page-header.module.css'

type Props = {
  title: string
  /** What stands beside the title: badges. */
  beside?: ReactNode
  /** A line below it: ids, counts. */
  below?: ReactNode
  /** Buttons at the right. */
  actions?: ReactNode
  isLoading?: boolean
}

export function PageHeader({ title, beside, below, actions, isLoading = false }: Props) {
  usePageTitle(title)
  return (
    <header className={classes.header}>
      <div className={classes.what}>
        <div className={classes.line}>
          <h1 className={isLoading ? classes.loading : undefined}>{title}</h1>
          {beside}
        </div>
        {below !== undefined && <div className={classes.below}>{below}</div>}
      </div>
      {actions !== undefined && <div className={classes.actions}>{actions}</div>}
    </header>
  )
}

function usePageTitle(title: string): void {
  const environment = useEnvironment()
  useEffect(() => {
    document.title = `${title} · ${environment === 'test' ? 'Tollkeeper test' : 'Tollkeeper'}`
  }, [title, environment])
}
