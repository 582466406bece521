// Chooses a customer: found by id, name or e-mail while typing, or typed as an id.
import { Autocomplete } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useGet } from '../api/queries.ts'

type Props = {
  value: string
  onChange(customerId: string): void
  error?: string
  label?: string
  description?: string
}

const pauseMs = 200
const most = 8

export function CustomerField({ label = 'Customer', description, value, onChange, error }: Props) {
  const [searched] = useDebouncedValue(value, pauseMs)
  const { data } = useGet(
    '/v1/customers',
    { query: { search: searched, limit: most } },
    { keepsPrevious: true },
  )
  const found = data?.customers ?? []
  const names = new Map(found.map(({ customerId, name, email }) => [customerId, name ?? email]))
  return (
    <Autocomplete
      label={label}
      description={description}
      placeholder="Id, name or e-mail"
      required
      data-autofocus
      data={found.map(({ customerId }) => customerId)}
      // The service has searched already, by name and e-mail too.
      filter={({ options }) => options}
      renderOption={({ option }) => (
        <span>
          {names.get(option.value) ?? option.value}{' '}
          {names.get(option.value) !== undefined && <code>{option.value}</code>}
        </span>
      )}
      comboboxProps={{ transitionProps: { duration: 0 } }}
      value={value}
      onChange={onChange}
      {...(error === undefined ? {} : { error })}
    />
  )
}
