// Says in one sentence what is expected to go wrong when a command starts.

import { StartError } from '@tollkeeper/embedded-postgres/start-error'
import { TollkeeperError } from '@tollkeeper/sdk/src/errors.ts'
import { RequestError } from '../domain/errors.ts'
import { MigrationError } from '../storage/migrate.ts'
import { CommandError } from './command-error.ts'

type SystemError = NodeJS.ErrnoException & { port?: number; address?: string; errors?: Error[] }

const filesystemCodes = ['EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'ENOENT', 'EEXIST', 'ENOSPC']

/** A sentence for what is expected to go wrong; anything else with its stack, for it is a defect. */
export function explain(error: unknown): string {
  const expected = [StartError, MigrationError, RequestError, CommandError, TollkeeperError]
  if (expected.some((kind) => error instanceof kind)) return (error as Error).message
  const { code = '', message, stack, syscall, port, address, errors } = error as SystemError
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${address} is taken by another program; set PORT to use another.`
  if (code === 'EACCES' && port)
    return `Port ${port} needs more rights than this user has; set PORT to use another.`
  if (code === 'EADDRNOTAVAIL') return `HOST ${address} is not an address of this machine.`
  // A name with several addresses fails with one error for each.
  if (syscall === 'connect' || syscall === 'getaddrinfo' || code === 'ECONNREFUSED' || code === 'ECONNRESET')
    return `The database cannot be reached: ${message || errors?.[0]?.message}.`
  if (message === 'timeout expired') return 'The database cannot be reached: it did not answer in time.'
  if (/^(28|3D)/.test(code)) return `The database refused the connection: ${message}.`
  if (filesystemCodes.includes(code)) return `DATA_DIR cannot be used: ${message}.`
  return stack ?? message
}
