// A menu that copies what is shown as a call: for a terminal, and of the SDK.
import { Button, Menu } from '@mantine/core'
import { IconCode } from '@tabler/icons-react'
import { copyText } from './copy-button.tsx'
import { useToast } from './toast.tsx'

export type NamedCall = { name?: string; curl: string; sdk: string }

export function CopyAs({ calls }: { calls: NamedCall[] }) {
  const toast = useToast()
  const copy = async (text: string, what: string) => {
    toast({ text: (await copyText(text)) ? `Copied ${what}` : 'The browser does not let this page copy' })
  }
  return (
    <Menu>
      <Menu.Target>
        <Button variant="default" leftSection={<IconCode size={15} />}>
          Copy as
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        {calls.map(({ name, curl, sdk }) => (
          <div key={curl}>
            {name !== undefined && <Menu.Label>{name}</Menu.Label>}
            <Menu.Item onClick={() => void copy(curl, 'as curl')}>curl</Menu.Item>
            <Menu.Item onClick={() => void copy(sdk, 'as SDK call')}>SDK call</Menu.Item>
          </div>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
