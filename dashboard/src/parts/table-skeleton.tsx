// Rows of the size of those that come.
import { Skeleton } from '@mantine/core'
import classes from './table.module.css'

const widths = ['60%', '45%', '70%', '50%', '65%']

export function SkeletonRows({ count, cells }: { count: number; cells: string[] }) {
  return Array.from({ length: count }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
    <tr key={row} aria-hidden>
      {cells.map((className, cell) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <td key={cell} className={className}>
          <Skeleton
            height={10}
            width={widths[(row + cell) % widths.length] as string}
            className={className.includes(classes.right as string) ? classes.pushed : ''}
          />
        </td>
      ))}
    </tr>
  ))
}
