// What can be done with a feature: edit, archive, delete; archiving and deleting say first what they take along.
import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { Feature } from '@tollkeeper/sdk/src/generated/api.ts'
import { useApi } from '../../api/environment.ts'
import { useMay } from '../../api/session.ts'
import { useFilters } from '../../parts/filters.tsx'
import { useToast } from '../../parts/toast.tsx'
import { ArchiveFeature } from './archive-feature.tsx'
import { DeleteFeature } from './delete-feature.tsx'
import { EditFeature } from './edit-feature.tsx'

export function FeatureActions({ feature }: { feature: Feature }) {
  const { values, set } = useFilters(['do'] as const)
  const mayWrite = useMay()
  const unarchive = useUnarchive(feature)
  if (!mayWrite) return null
  const close = () => set('do', undefined)
  return (
    <>
      {feature.isArchived && (
        <Button loading={unarchive.isPending} onClick={() => unarchive.mutate()}>
          Unarchive
        </Button>
      )}
      <Button variant="default" onClick={() => set('do', 'edit')}>
        Edit
      </Button>
      <Menu>
        <Menu.Target>
          <Tooltip label="More">
            <ActionIcon variant="default" size={30} aria-label="More actions">
              <IconDots size={16} />
            </ActionIcon>
          </Tooltip>
        </Menu.Target>
        <Menu.Dropdown>
          {!feature.isArchived && <Menu.Item onClick={() => set('do', 'archive')}>Archive</Menu.Item>}
          <Menu.Item color="red" onClick={() => set('do', 'delete')}>
            Delete
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <EditFeature feature={feature} isOpen={values.do === 'edit'} onClose={close} />
      <ArchiveFeature
        feature={feature}
        isOpen={values.do === 'archive' && !feature.isArchived}
        onClose={close}
      />
      <DeleteFeature feature={feature} isOpen={values.do === 'delete'} onClose={close} />
    </>
  )
}

function useUnarchive({ featureKey, name, archivedReason }: Feature) {
  const api = useApi()
  const toast = useToast()
  const path = { featureKey }
  return useMutation({
    mutationFn: async () => {
      const before = { archived: true, ...(archivedReason === null ? {} : { reason: archivedReason }) }
      await api.post('/v1/features/{featureKey}/archive', { path, body: { archived: false } })
      return before
    },
    onSuccess: (body) =>
      toast({
        text: `Unarchived ${name}`,
        undo: () => api.post('/v1/features/{featureKey}/archive', { path, body }),
      }),
    onError: (error) => toast({ text: error.message, isError: true }),
  })
}
