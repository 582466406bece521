// A quiet button beside a heading.
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'

export function SmallButton({ onClick, children }: { onClick(): void; children: ReactNode }) {
  return (
    <Button size="compact-xs" variant="subtle" c="var(--accent)" onClick={onClick}>
      {children}
    </Button>
  )
}
