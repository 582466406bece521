// The API keys in a table: what each may do, when it was last used and how near it is to its rate limit; made, rotated, revoked.
import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconDots, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import type { ApiKey, MadeKey as Made } from '../../api/generated.ts'
import { toList, useGet } from '../../api/queries.ts'
import { Badge } from '../../parts/badge.tsx'
import { Empty } from '../../parts/empty.tsx'
import { useFilters } from '../../parts/filters.tsx'
import { formatAmount } from '../../parts/format.ts'
import { useRealNow } from '../../parts/now.ts'
import { Section } from '../../parts/section.tsx'
import { ShareBar } from '../../parts/share-bar.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import classes from './developers.module.css'
import { computeKeyState, computeLimitShare, type Limits } from './key-state.ts'
import { MakeKey } from './make-key.tsx'
import { useMayChangeKeys } from './may-change-keys.ts'
import { RevokeKey } from './revoke-key.tsx'
import { RotateKey } from './rotate-key.tsx'

type Asked = { kind: 'rotate' | 'revoke'; apiKey: ApiKey }

export function Keys({ onMade }: { onMade(made: Made): void }) {
  const keys = useGet('/keys', {}, { isLive: true })
  const { values, set } = useFilters(['do', 'keys'] as const)
  const [asked, setAsked] = useState<Asked>()
  const { mayChange, reason } = useMayChangeKeys()
  const now = useRealNow()
  const columns = useColumns(keys.data?.limits ?? { all: 0, write: 0 }, mayChange ? setAsked : undefined)
  const list = toList(keys, (answer) => answer.keys)
  const ended = list.rows?.filter((key) => !computeKeyState(key, now).isUsable).length ?? 0
  const rows =
    values.keys === 'all' ? list.rows : list.rows?.filter((key) => computeKeyState(key, now).isUsable)
  return (
    <Section
      title="API keys"
      note={mayChange ? undefined : reason}
      actions={
        <>
          {ended > 0 && (
            <Button
              variant="subtle"
              color="gray"
              onClick={() => set('keys', values.keys === 'all' ? undefined : 'all')}
            >
              {values.keys === 'all' ? 'Hide ended keys' : `Show ${formatAmount(ended)} ended`}
            </Button>
          )}
          {mayChange && (
            <Button leftSection={<IconPlus size={15} />} onClick={() => set('do', 'make-key')}>
              Make key
            </Button>
          )}
        </>
      }
    >
      <Table
        caption="API keys"
        list={rows === undefined ? list : { ...list, rows }}
        columns={columns}
        rowKey={({ keyId }) => keyId}
        empty={
          <Empty text="Programs call the API with a key of this environment. Make one: it is shown once, with a call to try it." />
        }
        expectedRows={3}
      />
      <MakeKey
        isOpen={values.do === 'make-key' && mayChange}
        onClose={() => set('do', undefined)}
        onMade={onMade}
      />
      {asked?.kind === 'rotate' && (
        <RotateKey {...asked} onClose={() => setAsked(undefined)} onMade={onMade} />
      )}
      {asked?.kind === 'revoke' && <RevokeKey {...asked} onClose={() => setAsked(undefined)} />}
    </Section>
  )
}

function useColumns(limits: Limits, ask: ((asked: Asked) => void) | undefined): Column<ApiKey>[] {
  const now = useRealNow()
  const columns: Column<ApiKey>[] = [
    {
      title: 'Name',
      cell: ({ name, lastFour, source }) => (
        <span className={classes.key}>
          <span className={classes.name}>{name}</span>
          <code className={classes.mono}>…{lastFour}</code>
          {source === 'configured' && <Badge>from configuration</Badge>}
        </span>
      ),
    },
    { title: 'May', width: 110, cell: ({ scope }) => (scope === 'full' ? 'Everything' : 'Only read') },
    {
      title: 'State',
      width: 120,
      cell: (key) => {
        const { text, tone } = computeKeyState(key, now)
        return <Badge tone={tone}>{text}</Badge>
      },
    },
    {
      title: 'Last used',
      width: 150,
      from: 700,
      cell: ({ lastUsedAt }) =>
        lastUsedAt === null ? <span className={classes.soft}>Never</span> : <Time at={lastUsedAt} isReal />,
    },
    {
      title: 'Rate limit, now',
      width: 150,
      from: 1000,
      cell: (key) => <LimitShare apiKey={key} limits={limits} />,
    },
    {
      title: 'Expires',
      width: 150,
      from: 1000,
      cell: ({ expiresAt }) =>
        expiresAt === null ? <span className={classes.soft}>Never</span> : <Time at={expiresAt} isReal />,
    },
    { title: 'Made', width: 150, from: 1000, cell: ({ createdAt }) => <Time at={createdAt} isReal /> },
  ]
  if (ask === undefined) return columns
  const actions: Column<ApiKey> = {
    title: 'Actions',
    isTitleHidden: true,
    width: 48,
    align: 'right',
    cell: (apiKey) => computeKeyState(apiKey, now).isUsable && <KeyMenu apiKey={apiKey} ask={ask} />,
  }
  return [...columns, actions]
}

function LimitShare({ apiKey, limits }: { apiKey: ApiKey; limits: Limits }) {
  const share = computeLimitShare(apiKey, limits)
  if (share === undefined) return <span className={classes.soft}>No limit</span>
  const write = (used: number, limit: number, noun: string) =>
    `${formatAmount(used)}${limit === 0 ? '' : ` of ${formatAmount(limit)}`} ${noun}`
  const words = `In these 10 s: ${write(apiKey.requests10s, limits.all, 'requests')}, ${write(apiKey.writes10s, limits.write, 'writes')}`
  return <ShareBar share={share} words={words} />
}

function KeyMenu({ apiKey, ask }: { apiKey: ApiKey; ask(asked: Asked): void }) {
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${apiKey.name}`}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => ask({ kind: 'rotate', apiKey })}>Rotate…</Menu.Item>
        <Menu.Item color="red" onClick={() => ask({ kind: 'revoke', apiKey })}>
          Revoke…
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
