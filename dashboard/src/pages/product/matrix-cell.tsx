// One cell of the latest version, edited in place: a switch for what is or is not, else no access, a limit or no limit.
import { NativeSelect, NumberInput, Switch, Tooltip, UnstyledButton } from '@mantine/core'
import type { Feature } from '@tollkeeper/sdk/src/generated/api.ts'
import { useRef } from 'react'
import { type AccessCell, type AccessKind, writeCell } from '../../parts/access-cell.ts'
import classes from './matrix.module.css'

type Props = {
  feature: Feature
  version: number
  saved: AccessCell
  /** undefined while it is as it was saved. */
  edited: AccessCell | undefined
  onEdit(cell: AccessCell): void
}

const kinds: { value: AccessKind; label: string }[] = [
  { value: 'none', label: 'No access' },
  { value: 'limit', label: 'Limit' },
  { value: 'unlimited', label: 'Unlimited' },
]

export function MatrixCell({ feature, version, saved, edited, onEdit }: Props) {
  const cell = edited ?? saved
  const name = `${feature.name} in version ${version}`
  return (
    <span className={classes.editor}>
      {feature.type === 'boolean' ? (
        <Switch
          size="xs"
          aria-label={name}
          label={cell.kind === 'none' ? 'No access' : 'Access'}
          checked={cell.kind !== 'none'}
          disabled={feature.isArchived && saved.kind === 'none'}
          onChange={(event) => onEdit({ kind: event.currentTarget.checked ? 'access' : 'none' })}
        />
      ) : (
        <Limit feature={feature} name={name} saved={saved} cell={cell} onEdit={onEdit} />
      )}
      {edited !== undefined && (
        <Tooltip label="Put back">
          <UnstyledButton
            className={classes.was}
            aria-label={`Put back: ${name} was ${writeCell(saved)}`}
            onClick={() => onEdit(saved)}
          >
            was {writeCell(saved)}
          </UnstyledButton>
        </Tooltip>
      )}
    </span>
  )
}

type LimitProps = {
  feature: Feature
  name: string
  saved: AccessCell
  cell: AccessCell
  onEdit(cell: AccessCell): void
}

function Limit({ feature, name, saved, cell, onEdit }: LimitProps) {
  const field = useRef<HTMLInputElement>(null)
  const choose = (kind: AccessKind) => {
    onEdit(kind === 'limit' ? { kind, limit: saved.limit } : { kind })
    // After it is there.
    if (kind === 'limit') setTimeout(() => field.current?.select())
  }
  return (
    <>
      <NativeSelect
        className={classes.kind ?? ''}
        size="xs"
        aria-label={name}
        data={kinds}
        value={cell.kind}
        disabled={feature.isArchived && saved.kind === 'none'}
        onChange={(event) => choose(event.currentTarget.value as AccessKind)}
      />
      {cell.kind === 'limit' && (
        <NumberInput
          ref={field}
          className={classes.limit ?? ''}
          size="xs"
          aria-label={`Limit of ${name}`}
          hideControls
          allowNegative={false}
          thousandSeparator=","
          value={cell.limit ?? ''}
          error={cell.limit === undefined}
          onChange={(value) => onEdit({ kind: 'limit', limit: value === '' ? undefined : Number(value) })}
        />
      )}
    </>
  )
}
