// Finds customers, products, features and pages, and does things by their words: ⌘K.
import { Modal } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import classes from './palette.module.css'
import type { PaletteItem } from './palette-item.ts'
import { usePaletteItems } from './palette-items.tsx'

const typingMs = 120

export function Palette({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  return (
    <Modal.Root
      opened={isOpen}
      onClose={onClose}
      size={600}
      padding={0}
      yOffset="12vh"
      transitionProps={{ duration: 0 }}
    >
      <Modal.Overlay opacity={0.25} />
      <Modal.Content aria-label="Search or do">
        <Modal.Body>
          <PaletteBody onClose={onClose} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

function PaletteBody({ onClose }: { onClose(): void }) {
  const id = useId()
  const [text, setText] = useState('')
  const [searched] = useDebouncedValue(text.trim(), typingMs)
  const { items, isSearching } = usePaletteItems(text.trim(), searched)
  const [at, setAt] = useState(0)
  const chosen = Math.min(at, items.length - 1)
  const run = (item: PaletteItem | undefined) => {
    if (item === undefined) return
    onClose()
    item.run()
  }
  const press = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      setAt((chosen + step + items.length) % Math.max(items.length, 1))
    } else if (event.key === 'Enter') {
      event.preventDefault()
      run(items[chosen])
    }
  }
  return (
    <div>
      <input
        className={classes.input}
        value={text}
        placeholder="Find a customer, go to a page, or “give acme 500 api_calls”"
        role="combobox"
        aria-label="Search or do"
        aria-expanded
        aria-controls={`${id}-items`}
        aria-activedescendant={items.length > 0 ? `${id}-${chosen}` : undefined}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        onChange={(event) => {
          setText(event.currentTarget.value)
          setAt(0)
        }}
        onKeyDown={press}
      />
      <Items {...{ id, items, chosen, run }} />
      {items.length === 0 && (
        <p className={classes.nothing} role="status">
          {isSearching ? 'Searching…' : `Nothing is called “${text}”.`}
        </p>
      )}
    </div>
  )
}

type ItemsProps = { id: string; items: PaletteItem[]; chosen: number; run(item: PaletteItem): void }

function Items({ id, items, chosen, run }: ItemsProps) {
  const list = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: it follows what is chosen
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  return (
    <div ref={list} id={`${id}-items`} role="listbox" aria-label="Found" className={classes.items}>
      {items.map((item, index) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and points here
        // biome-ignore lint/a11y/useKeyWithClickEvents: keys are read in the field
        <div
          key={item.key}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === chosen}
          className={classes.item}
          onClick={() => run(item)}
        >
          <span className={classes.kind}>{item.kind}</span>
          <span className={classes.name}>{item.name}</span>
          {item.note !== undefined && <span className={classes.note}>{item.note}</span>}
        </div>
      ))}
    </div>
  )
}
