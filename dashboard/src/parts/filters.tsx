// Filters as pills that are the address: a filtered page can be sent to somebody.
import { CloseButton, Menu, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconPlus, IconSearch } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'wouter'
import classes from './filters.module.css'

const typingMs = 200

/** The filters in the address, by name; setting one to undefined takes it out. */
export function useFilters<Name extends string>(names: readonly Name[]) {
  const [search, setSearch] = useSearchParams()
  const values = Object.fromEntries(
    names.flatMap((name) => {
      const value = search.get(name)
      return value === null ? [] : [[name, value]]
    }),
  ) as Partial<Record<Name, string>>
  const setAll = (changed: Partial<Record<Name, string | undefined>>) =>
    setSearch(
      (before) => {
        const next = new URLSearchParams(before)
        for (const [name, value] of Object.entries(changed) as [Name, string | undefined][]) {
          if (value === undefined || value === '') next.delete(name)
          else next.set(name, value)
        }
        return next
      },
      { replace: true },
    )
  const set = (name: Name, value: string | undefined) =>
    setAll({ [name]: value } as Partial<Record<Name, string>>)
  return { values, set, setAll }
}

type FilterOption = { value: string; label: string }

type PillProps = {
  label: string
  value: string | undefined
  options: FilterOption[]
  onChange(value: string | undefined): void
}

export function FilterPill({ label, value, options, onChange }: PillProps) {
  const chosen = options.find((option) => option.value === value)?.label ?? value
  return (
    <span className={`${classes.pill} ${value === undefined ? classes.unset : ''}`}>
      <Menu position="bottom-start">
        <Menu.Target>
          <button type="button" className={classes.name}>
            {value === undefined && <IconPlus size={12} aria-hidden />}
            {label}
            {value !== undefined && <strong>{chosen}</strong>}
          </button>
        </Menu.Target>
        <Menu.Dropdown className={classes.options}>
          {options.map((option) => (
            <Menu.Item
              key={option.value}
              fw={option.value === value ? 600 : 400}
              onClick={() => onChange(option.value)}
            >
              {option.label}
            </Menu.Item>
          ))}
          {options.length === 0 && <Menu.Label>Nothing to choose from</Menu.Label>}
        </Menu.Dropdown>
      </Menu>
      {value !== undefined && (
        <CloseButton
          size={18}
          iconSize={12}
          aria-label={`Clear ${label}`}
          onClick={() => onChange(undefined)}
        />
      )}
    </span>
  )
}

type SearchProps = { value: string | undefined; placeholder: string; onChange(value: string): void }

/** The page's search, focused with the key /. */
export function SearchField({ value = '', placeholder, onChange }: SearchProps) {
  const [text, setText] = useState(value)
  const last = useRef(value)
  useEffect(() => {
    // Changed from outside, not by typing here.
    if (value !== last.current) setText(value)
    last.current = value
  }, [value])
  const pass = useDebouncedCallback((next: string) => {
    last.current = next
    onChange(next)
  }, typingMs)
  return (
    <TextInput
      className={classes.search}
      size="xs"
      type="search"
      value={text}
      placeholder={placeholder}
      aria-label={placeholder}
      leftSection={<IconSearch size={14} />}
      data-page-search
      onChange={(event) => {
        setText(event.currentTarget.value)
        pass(event.currentTarget.value)
      }}
    />
  )
}

/** A row of filters, with what stands at its right end. */
export function FilterBar({ children, right }: { children: ReactNode; right?: ReactNode }) {
  return (
    <div className={classes.bar}>
      <div className={classes.pills}>{children}</div>
      {right !== undefined && <div className={classes.right}>{right}</div>}
    </div>
  )
}
