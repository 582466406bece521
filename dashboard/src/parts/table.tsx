// A table of things: rows of 40, each opened by its first cell, walked with j and k, with its own loading, empty and error
// states. Going back leads to the row that was opened.
import { Button } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from 'wouter'
import type { List } from '../api/queries.ts'
import { Failure } from './failure.tsx'
import { useRowKeys } from './row-keys.ts'
import classes from './table.module.css'
import { SkeletonRows } from './table-skeleton.tsx'

export type Column<Row> = {
  title: string
  cell(row: Row): ReactNode
  align?: 'right'
  /** A CSS width; columns without share what is left. */
  width?: string | number
  /** Left out on screens narrower than this. */
  from?: 700 | 1000
  /** The title is for screen readers only. */
  isTitleHidden?: boolean
}

type Props<Row> = {
  /** Names the table for screen readers. */
  caption: string
  list: List<Row>
  columns: Column<Row>[]
  rowKey(row: Row): string
  /** Where a row leads; below the environment. */
  href?: (row: Row) => string
  /** Or what opening it does. */
  onOpen?: (row: Row) => void
  /** What the key e does on a row. */
  onEdit?: (row: Row) => void
  /** Shown instead when there are no rows: <Empty …/>. */
  empty: ReactNode
  /** How many rows the skeleton has. */
  expectedRows?: number
  /** Rows of 32, for logs. */
  isDense?: boolean
}

export function Table<Row>(props: Props<Row>) {
  const { caption, list, columns, rowKey, href, onOpen, empty, expectedRows = 8, isDense = false } = props
  const body = useRef<HTMLTableSectionElement>(null)
  const rows = list.rows
  useRowKeys(body, caption, (index) => rows?.[index] !== undefined && props.onEdit?.(rows[index]))
  if (rows === undefined && list.error !== null) return <Failure error={list.error} retry={list.retry} />
  if (rows?.length === 0) return empty
  return (
    <div className={classes.frame}>
      <table className={`${classes.table} ${isDense ? classes.dense : ''}`} aria-busy={rows === undefined}>
        <caption className={classes.caption}>{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <th
                key={column.title}
                scope="col"
                className={cellClass(column)}
                style={{ width: column.width }}
              >
                {column.isTitleHidden ? (
                  <span className={classes.caption}>{column.title}</span>
                ) : (
                  column.title
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body} data-walked>
          {rows === undefined && <SkeletonRows count={expectedRows} cells={columns.map(cellClass)} />}
          {rows?.map((row) => (
            <tr key={rowKey(row)} data-row={rowKey(row)}>
              {columns.map((column, index) => (
                <td key={column.title} className={cellClass(column)}>
                  {index === 0 ? (
                    <Opener {...{ row, href, onOpen }}>{column.cell(row)}</Opener>
                  ) : (
                    column.cell(row)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {list.hasMore && <More list={list} />}
    </div>
  )
}

const cellClass = ({ align, from }: Pick<Column<never>, 'align' | 'from'>): string =>
  [
    align === 'right' ? classes.right : '',
    from === 700 ? classes.from700 : '',
    from === 1000 ? classes.from1000 : '',
  ]
    .filter(Boolean)
    .join(' ')

type OpenerProps<Row> = {
  row: Row
  href: ((row: Row) => string) | undefined
  onOpen: ((row: Row) => void) | undefined
  children: ReactNode
}

/** The first cell is what is pressed, and its area is the whole row. */
function Opener<Row>({ row, href, onOpen, children }: OpenerProps<Row>) {
  if (href !== undefined) {
    return (
      <Link className={classes.opener} href={href(row)} data-opens-row>
        {children}
      </Link>
    )
  }
  if (onOpen === undefined) return children
  return (
    <button className={classes.opener} type="button" onClick={() => onOpen(row)} data-opens-row>
      {children}
    </button>
  )
}

/** More rows come when the end is near, or when asked for. */
function More<Row>({ list }: { list: List<Row> }) {
  const place = useRef<HTMLDivElement>(null)
  const loadMore = useRef(list.loadMore)
  loadMore.current = list.loadMore
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && loadMore.current(), {
      rootMargin: '400px',
    })
    if (place.current) observer.observe(place.current)
    return () => observer.disconnect()
  }, [])
  return (
    <div ref={place} className={classes.more}>
      <Button variant="subtle" color="gray" loading={list.isLoadingMore} onClick={list.loadMore}>
        Show more
      </Button>
    </div>
  )
}
