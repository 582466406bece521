// Settings, people: who may use the dashboard and in which role; invited by a link, given another role or link, removed.
import { ActionIcon, Button, Menu, Select } from '@mantine/core'
import { IconDots, IconPlus } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { installationApi } from '../../api/client.ts'
import type { Person } from '../../api/generated.ts'
import { toList } from '../../api/queries.ts'
import { useMay, useSession } from '../../api/session.ts'
import { Badge } from '../../parts/badge.tsx'
import { Empty } from '../../parts/empty.tsx'
import { useFilters } from '../../parts/filters.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { useToast } from '../../parts/toast.tsx'
import { InvitePerson } from './invite-person.tsx'
import { type MadeLink, PersonLink } from './person-link.tsx'
import { RemovePerson } from './remove-person.tsx'
import { nameOfRole, roles } from './roles.ts'
import classes from './settings.module.css'
import { SettingsFrame } from './settings-frame.tsx'

export function People() {
  const isAdmin = useMay('admin')
  const { values, set } = useFilters(['do'] as const)
  const [link, setLink] = useState<MadeLink>()
  return (
    <SettingsFrame
      title="People"
      actions={
        isAdmin && (
          <Button leftSection={<IconPlus size={15} />} onClick={() => set('do', 'invite')}>
            Invite person
          </Button>
        )
      }
    >
      {isAdmin ? (
        <PeopleTable onLink={setLink} />
      ) : (
        <p className={classes.soft}>
          People are seen and managed by admins. Ask one of them for another role.
        </p>
      )}
      <InvitePerson
        isOpen={values.do === 'invite' && isAdmin}
        onClose={() => set('do', undefined)}
        onLink={setLink}
      />
      <PersonLink link={link} onClose={() => setLink(undefined)} />
    </SettingsFrame>
  )
}

function PeopleTable({ onLink }: { onLink(link: MadeLink): void }) {
  const people = useQuery({ queryKey: ['people'], queryFn: () => installationApi.get('/people') })
  const [removed, setRemoved] = useState<Person>()
  const own = useSession().person.personId
  const columns: Column<Person>[] = [
    {
      title: 'Person',
      cell: ({ name, email, personId }) => (
        <span className={classes.who}>
          <span className={classes.name}>{name ?? email}</span>
          {name !== null && <span className={classes.soft}>{email}</span>}
          {personId === own && <Badge>you</Badge>}
        </span>
      ),
    },
    {
      title: 'State',
      width: 110,
      from: 700,
      cell: ({ state }) =>
        state === 'active' ? <Badge tone="green">Active</Badge> : <Badge tone="amber">Invited</Badge>,
    },
    { title: 'Role', width: 160, cell: (person) => <RoleField person={person} /> },
    {
      title: 'Last seen',
      width: 160,
      from: 700,
      cell: ({ lastSeenAt }) =>
        lastSeenAt === null ? <span className={classes.soft}>Never</span> : <Time at={lastSeenAt} isReal />,
    },
    { title: 'Since', width: 160, from: 1000, cell: ({ createdAt }) => <Time at={createdAt} isReal /> },
    {
      title: 'Actions',
      isTitleHidden: true,
      width: 48,
      align: 'right',
      cell: (person) => <PersonMenu person={person} onLink={onLink} onRemove={() => setRemoved(person)} />,
    },
  ]
  return (
    <>
      <Table
        caption="People"
        list={toList(people, (answer) => answer.people)}
        columns={columns}
        rowKey={({ personId }) => personId}
        empty={<Empty text="Nobody may use the dashboard." />}
        expectedRows={3}
      />
      {removed !== undefined && <RemovePerson person={removed} onClose={() => setRemoved(undefined)} />}
    </>
  )
}

function RoleField({ person }: { person: Person }) {
  const toast = useToast()
  const give = (role: Person['role']) =>
    installationApi.put('/people/{personId}', { path: { personId: person.personId }, body: { role } })
  const change = useMutation({
    // The role that it was, since the page has read it anew when this is done.
    mutationFn: async (role: Person['role']) => ({ before: person.role, after: await give(role) }),
    onSuccess: ({ before, after: { email, role } }) =>
      toast({ text: `${email} is ${nameOfRole(role)} now`, undo: () => give(before) }),
    onError: (error) => toast({ text: error.message, isError: true }),
  })
  return (
    <Select
      size="xs"
      variant="unstyled"
      aria-label={`Role of ${person.email}`}
      data={roles.map(({ value, label }) => ({ value, label }))}
      allowDeselect={false}
      value={change.isPending ? change.variables : person.role}
      onChange={(role) => role !== null && role !== person.role && change.mutate(role as Person['role'])}
    />
  )
}

type MenuProps = { person: Person; onLink(link: MadeLink): void; onRemove(): void }

function PersonMenu({ person, onLink, onRemove }: MenuProps) {
  const toast = useToast()
  const { personId, email, state } = person
  const make = useMutation({
    mutationFn: () => installationApi.post('/people/{personId}/link', { path: { personId } }),
    onSuccess: ({ url, expiresAt }) =>
      onLink({ email, url, expiresAt, kind: state === 'invited' ? 'join' : 'password' }),
    onError: (error) => toast({ text: error.message, isError: true }),
  })
  return (
    <Menu>
      <Menu.Target>
        <ActionIcon variant="subtle" color="gray" aria-label={`Actions for ${email}`}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => make.mutate()}>
          {state === 'invited' ? 'New link to join' : 'Link for a new password'}
        </Menu.Item>
        <Menu.Item color="red" onClick={onRemove}>
          Remove…
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
