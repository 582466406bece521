// What can be done with a product: edit, assign, archive, delete.
import { ActionIcon, Button, Menu, Tooltip } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { Product } from '@tollkeeper/sdk/src/generated/api.ts'
import { useLocation } from 'wouter'
import { useApi } from '../../api/environment.ts'
import { useMay } from '../../api/session.ts'
import { afterRender } from '../../parts/after-render.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { useFilters } from '../../parts/filters.tsx'
import { formatCount } from '../../parts/format.ts'
import { useToast } from '../../parts/toast.tsx'
import { AssignProduct } from './assign-product.tsx'
import { EditProduct } from './edit-product.tsx'

/** `holders` undefined while they are counted. */
type Props = { product: Product; holders: number | undefined }

export function ProductActions({ product, holders }: Props) {
  const { values, set } = useFilters(['do'] as const)
  const mayWrite = useMay()
  const unarchive = useArchive(product, false)
  if (!mayWrite) return null
  const { isArchived, type } = product
  const close = () => set('do', undefined)
  return (
    <>
      {isArchived ? (
        <Button loading={unarchive.isPending} onClick={() => unarchive.mutate()}>
          Unarchive
        </Button>
      ) : (
        <>
          {type === 'custom' && (
            <Button variant="default" onClick={() => set('do', 'assign')}>
              Assign
            </Button>
          )}
          <Button variant="default" onClick={() => set('do', 'edit')}>
            Edit
          </Button>
        </>
      )}
      <Menu>
        <Menu.Target>
          <Tooltip label="More">
            <ActionIcon variant="default" size={30} aria-label="More actions">
              <IconDots size={16} />
            </ActionIcon>
          </Tooltip>
        </Menu.Target>
        <Menu.Dropdown>
          {!isArchived && <Menu.Item onClick={() => set('do', 'archive')}>Archive</Menu.Item>}
          <Menu.Item color="red" disabled={type === 'provider'} onClick={() => set('do', 'delete')}>
            {type === 'provider' ? 'Delete: archive what the payment provider has' : 'Delete'}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <EditProduct product={product} isOpen={values.do === 'edit' && !isArchived} onClose={close} />
      <AssignProduct product={product} isOpen={values.do === 'assign' && !isArchived} onClose={close} />
      <ArchiveProduct product={product} holders={holders} isOpen={values.do === 'archive'} onClose={close} />
      <DeleteProduct product={product} holders={holders} isOpen={values.do === 'delete'} onClose={close} />
    </>
  )
}

function useArchive({ key, name }: Product, archived: boolean) {
  const toast = useToast()
  const api = useApi()
  const send = (value: boolean) =>
    api.post('/v1/products/{productKey}/archive', { path: { productKey: key }, body: { archived: value } })
  return useMutation({
    mutationFn: () => send(archived),
    onSuccess: () =>
      toast({ text: `${archived ? 'Archived' : 'Unarchived'} ${name}`, undo: () => send(!archived) }),
    onError: (error) => toast({ text: error.message, isError: true }),
  })
}

type AskProps = Props & { isOpen: boolean; onClose(): void }

const writeHolders = (holders: number | undefined): string =>
  holders === undefined ? 'Customers who hold it' : formatCount(holders, 'customer')

function ArchiveProduct({ product, holders, isOpen, onClose }: AskProps) {
  const archive = useArchive(product, true)
  return (
    <Confirm
      title={`Archive ${product.name}`}
      action="Archive product"
      name={product.key}
      losses={[
        `${writeHolders(holders)} keep it and what it gives.`,
        'Nobody new can be assigned it or buy it, and it cannot be edited.',
        ...(product.isDefault
          ? ['It is the default product no more, for good: whoever holds no other plan is left without one.']
          : []),
        'It can be unarchived.',
      ]}
      isOpen={isOpen}
      onClose={onClose}
      confirm={() => archive.mutateAsync()}
    />
  )
}

function DeleteProduct({ product, holders, isOpen, onClose }: AskProps) {
  const api = useApi()
  const toast = useToast()
  const [, navigate] = useLocation()
  const remove = async () => {
    await api.delete('/v1/products/{productKey}', { path: { productKey: product.key } })
    toast({ text: `Deleted ${product.name}` })
    navigate('/products')
    await afterRender()
  }
  return (
    <Confirm
      title={`Delete ${product.name}`}
      action="Delete product"
      name={product.key}
      losses={[
        `${formatCount(product.version, 'version')} with ${formatCount(product.featureAccess.length, 'feature')}. This cannot be undone.`,
        `The key ${product.key} is free again.`,
        holders
          ? `${writeHolders(holders)} hold it: only a product that nobody ever held can be deleted. Archive it instead.`
          : 'Only a product that nobody ever held can be deleted.',
      ]}
      isOpen={isOpen}
      onClose={onClose}
      confirm={remove}
    />
  )
}
