// A filter whose values are too many for a list: found while typing.
import { CloseButton, Popover, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useGet } from '../api/queries.ts'
import classes from './filters.module.css'

const pauseMs = 200
const most = 8

type Props = { value: string | undefined; onChange(value: string | undefined): void }

export function CustomerPill({ value, onChange }: Props) {
  const [isOpen, setOpen] = useState(false)
  const choose = (customerId: string) => {
    onChange(customerId)
    setOpen(false)
  }
  return (
    <span className={`${classes.pill} ${value === undefined ? classes.unset : ''}`}>
      <Popover opened={isOpen} onChange={setOpen} position="bottom-start" trapFocus shadow="md">
        <Popover.Target>
          <button type="button" className={classes.name} onClick={() => setOpen(!isOpen)}>
            {value === undefined && <IconPlus size={12} aria-hidden />}
            Customer
            {value !== undefined && <strong>{value}</strong>}
          </button>
        </Popover.Target>
        <Popover.Dropdown p={8}>
          <Search onChoose={choose} />
        </Popover.Dropdown>
      </Popover>
      {value !== undefined && (
        <CloseButton
          size={18}
          iconSize={12}
          aria-label="Clear Customer"
          onClick={() => onChange(undefined)}
        />
      )}
    </span>
  )
}

function Search({ onChoose }: { onChoose(customerId: string): void }) {
  const [text, setText] = useState('')
  const [searched] = useDebouncedValue(text, pauseMs)
  const { data } = useGet(
    '/v1/customers',
    { query: { search: searched, limit: most } },
    { keepsPrevious: true },
  )
  const found = data?.customers ?? []
  return (
    <form
      className={classes.finder}
      onSubmit={(event) => {
        event.preventDefault()
        const first = found[0]
        if (first !== undefined) onChoose(first.customerId)
      }}
    >
      <TextInput
        size="xs"
        aria-label="Find a customer"
        placeholder="Id, name or e-mail"
        data-autofocus
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <ul className={classes.found}>
        {found.map(({ customerId, name, email }) => (
          <li key={customerId}>
            <button type="button" className={classes.choice} onClick={() => onChoose(customerId)}>
              {name ?? email ?? customerId} <code>{customerId}</code>
            </button>
          </li>
        ))}
        {data !== undefined && found.length === 0 && (
          <li className={classes.nobody}>No customer is found.</li>
        )}
      </ul>
    </form>
  )
}
