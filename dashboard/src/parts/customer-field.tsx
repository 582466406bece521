// Chooses a customer: found by id, name or e-mail while typing; as a field of a form, and as a filter of a page.
import { Autocomplete, type AutocompleteProps, CloseButton } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useGet } from '../api/queries.ts'
import classes from './customer-field.module.css'

const pauseMs = 200
const most = 8

/** What is offered for the words in it; the service has searched already, by name and e-mail too. */
function useOffers(
  text: string,
): Pick<AutocompleteProps, 'data' | 'filter' | 'renderOption' | 'comboboxProps'> {
  const [searched] = useDebouncedValue(text, pauseMs)
  const { data } = useGet(
    '/v1/customers',
    { query: { search: searched, limit: most } },
    { keepsPrevious: true },
  )
  const found = data?.customers ?? []
  const names = new Map(found.map(({ customerId, name, email }) => [customerId, name ?? email]))
  return {
    data: found.map(({ customerId }) => customerId),
    filter: ({ options }) => options,
    renderOption: ({ option: { value } }) => (
      <span className={classes.option}>
        {names.get(value) ?? value}
        {names.get(value) !== undefined && <code className={classes.id}>{value}</code>}
      </span>
    ),
    comboboxProps: { transitionProps: { duration: 0 } },
  }
}

type FieldProps = { value: string; onChange(customerId: string): void; error?: string }

export function CustomerField({ value, onChange, error }: FieldProps) {
  return (
    <Autocomplete
      label="Customer"
      placeholder="Id, name or e-mail"
      required
      data-autofocus
      openOnFocus={false}
      value={value}
      onChange={onChange}
      {...useOffers(value)}
      {...(error === undefined ? {} : { error })}
    />
  )
}

type FilterProps = { value: string | undefined; onChange(customerId: string | undefined): void }

/** Typing searches; choosing one, or Enter, filters. */
export function CustomerFilter({ value = '', onChange }: FilterProps) {
  const [text, setText] = useState(value)
  useEffect(() => setText(value), [value])
  return (
    <Autocomplete
      className={classes.filter ?? ''}
      size="xs"
      placeholder="Customer"
      aria-label="Customer"
      leftSection={<IconSearch size={14} />}
      data-page-search
      openOnFocus={false}
      value={text}
      onChange={setText}
      onOptionSubmit={onChange}
      onKeyDown={(event) => event.key === 'Enter' && onChange(text)}
      rightSection={
        value !== '' && (
          <CloseButton
            size={18}
            iconSize={12}
            aria-label="Clear Customer"
            onClick={() => onChange(undefined)}
          />
        )
      }
      {...useOffers(text)}
    />
  )
}
