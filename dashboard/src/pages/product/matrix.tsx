// The matrix: features down, versions across, the latest first and edited in place; what differs from the version before is marked.
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import type { Feature, Product } from '@tollkeeper/sdk/src/generated/api.ts'
import { Link } from 'wouter'
import { type AccessCell, isSameCell, toCell, weighCell, writeCell } from '../../parts/access-cell.ts'
import { Badge } from '../../parts/badge.tsx'
import { formatCount } from '../../parts/format.ts'
import type { Draft } from './draft.ts'
import classes from './matrix.module.css'
import { MatrixCell } from './matrix-cell.tsx'

type Props = {
  features: Feature[]
  /** The latest first. */
  versions: Product[]
  /** How many hold each version; undefined while they are counted. */
  holders: Map<number, number> | undefined
  draft: Draft
  /** Absent where nothing may be edited. */
  edit: ((featureKey: string, cell: AccessCell) => void) | undefined
}

export function Matrix({ features, versions, holders, draft, edit }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: wider than the page with many versions, and scrolled with the keyboard
    <section className={classes.frame} tabIndex={0} aria-label="Features by version">
      <table className={classes.matrix}>
        <thead>
          <tr>
            <th scope="col" className={classes.corner}>
              Feature
            </th>
            {versions.map(({ version }, index) => (
              <th key={version} scope="col" className={index === 0 ? classes.latest : classes.older}>
                <span className={classes.version}>
                  Version {version} {index === 0 && <Badge tone="accent">latest</Badge>}
                </span>
                <span className={classes.holders}>
                  {holders === undefined ? ' ' : formatCount(holders.get(version) ?? 0, 'customer')}
                </span>
              </th>
            ))}
            <td className={classes.rest} />
          </tr>
        </thead>
        <tbody>
          {features.map((feature) => (
            <tr key={feature.featureKey}>
              <th scope="row" className={classes.feature}>
                <Link href={`/features/${encodeURIComponent(feature.featureKey)}`}>{feature.name}</Link>
                <code className={classes.key}>{feature.featureKey}</code>
                {feature.isArchived && <Badge tone="amber">archived</Badge>}
              </th>
              {versions.map((version, index) => (
                <td
                  key={version.version}
                  className={
                    index === 0 && draft[feature.featureKey] !== undefined ? classes.edited : undefined
                  }
                >
                  {index === 0 && edit !== undefined ? (
                    <span className={classes.shown}>
                      <MatrixCell
                        feature={feature}
                        version={version.version}
                        saved={findCell(version, feature)}
                        edited={draft[feature.featureKey]}
                        onEdit={(cell) => edit(feature.featureKey, cell)}
                      />
                      {draft[feature.featureKey] === undefined && (
                        <Mark cell={findCell(version, feature)} before={versions[1]} feature={feature} />
                      )}
                    </span>
                  ) : (
                    <span className={classes.shown}>
                      {writeShown(findCell(version, feature))}
                      <Mark
                        cell={findCell(version, feature)}
                        before={versions[index + 1]}
                        feature={feature}
                      />
                    </span>
                  )}
                </td>
              ))}
              <td className={classes.rest} />
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const findCell = (version: Product, { featureKey }: Feature): AccessCell =>
  toCell(version.featureAccess.find((entry) => entry.featureKey === featureKey))

/** Whether any two neighbouring versions differ in it. */
export const differs = (feature: Feature, versions: Product[]): boolean =>
  versions.some((version, index) => {
    const before = versions[index + 1]
    return before !== undefined && !isSameCell(findCell(version, feature), findCell(before, feature))
  })

export const isIncluded = (feature: Feature, versions: Product[]): boolean =>
  versions.some((version) => findCell(version, feature).kind !== 'none')

const writeShown = (cell: AccessCell) =>
  cell.kind === 'none' ? <span className={classes.none}>—</span> : writeCell(cell)

type MarkProps = { cell: AccessCell; before: Product | undefined; feature: Feature }

/** More or less than in the version before. */
function Mark({ cell, before, feature }: MarkProps) {
  const earlier = before && findCell(before, feature)
  if (earlier === undefined || isSameCell(cell, earlier)) return null
  const isMore = weighCell(cell) > weighCell(earlier)
  const words = `${isMore ? 'more' : 'less'} than in version ${before?.version}: ${writeCell(earlier)}`
  return (
    <span className={isMore ? classes.more : classes.less} title={words}>
      {isMore ? <IconArrowUp size={13} aria-hidden /> : <IconArrowDown size={13} aria-hidden />}
      <span className={classes.hidden}>{words}</span>
    </span>
  )
}
