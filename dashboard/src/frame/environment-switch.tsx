// Which environment is looked at, and the way to the other one: the same page there where it can be, else its list.
import { Menu, UnstyledButton } from '@mantine/core'
import { IconCheck, IconChevronDown } from '@tabler/icons-react'
import { useEnvironment } from '../api/environment.ts'
import classes from './environment-switch.module.css'
import { useSwitchEnvironment } from './switch-environment.ts'

const environments = ['test', 'live'] as const

export function EnvironmentSwitch({ isFolding }: { isFolding: boolean }) {
  const current = useEnvironment()
  const switchTo = useSwitchEnvironment()
  return (
    <Menu position="bottom-start" width={180}>
      <Menu.Target>
        <UnstyledButton
          className={`${classes.switch} ${classes[current]} ${isFolding ? classes.folds : ''}`}
          aria-label={`Environment: ${current}`}
        >
          <span className={classes.dot} />
          <span className={classes.name}>{current}</span>
          <IconChevronDown className={classes.arrow ?? ''} size={14} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {environments.map((environment) => (
          <Menu.Item
            key={environment}
            rightSection={environment === current ? <IconCheck size={14} aria-label="current" /> : null}
            onClick={() => switchTo(environment)}
          >
            {environment}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
