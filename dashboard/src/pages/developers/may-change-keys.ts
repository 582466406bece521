// Who may make, rotate and revoke keys: in live only admins, in test members too.
import { useEnvironment } from '../../api/environment.ts'
import { useMay } from '../../api/session.ts'

export function useMayChangeKeys(): { mayChange: boolean; reason: string } {
  const isLive = useEnvironment() === 'live'
  const [mayWrite, isAdmin] = [useMay(), useMay('admin')]
  return {
    mayChange: isLive ? isAdmin : mayWrite,
    reason: mayWrite ? 'Keys of live are changed by admins.' : 'You may look, not change.',
  }
}
