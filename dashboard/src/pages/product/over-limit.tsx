// Who would be over a limit: each a link, with what is used and what the limit was and would be.
import { Link } from 'wouter'
import { formatAmount, formatCount } from '../../parts/format.ts'
import classes from './over-limit.module.css'
import type { Preview } from './preview.ts'

export function OverLimit({ preview: { overLimit, overLimitCount } }: { preview: Preview }) {
  if (overLimitCount === 0) return <p className={classes.soft}>Nobody would be over a limit by this.</p>
  return (
    <>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Customer</th>
            <th scope="col">Feature</th>
            <th scope="col" className={classes.right}>
              Used
            </th>
            <th scope="col" className={classes.right}>
              Limit
            </th>
          </tr>
        </thead>
        <tbody>
          {overLimit.map(({ customerId, name, featureKey, used, before, after }) => (
            <tr key={`${customerId} ${featureKey}`}>
              <td className={classes.who}>
                <Link href={`/customers/${encodeURIComponent(customerId)}`}>{name ?? customerId}</Link>
              </td>
              <td>
                <code>{featureKey}</code>
              </td>
              <td className={classes.right}>{formatAmount(used)}</td>
              <td className={classes.right}>
                <del>{writeAllowance(before)}</del> → <strong>{writeAllowance(after)}</strong>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {overLimitCount > overLimit.length && (
        <p className={classes.soft}>
          … and {formatCount(overLimitCount - overLimit.length, 'more', 'more')}.
        </p>
      )}
    </>
  )
}

const writeAllowance = (allowance: number | null): string =>
  allowance === null ? 'unlimited' : formatAmount(allowance)
