// Deletes a usage event: it counts no more, and its key stays taken.
import { deleteTask } from '../../domain/ledger/delete.ts'
import type { Context } from '../context.ts'
import type { Services } from '../services.ts'
import { getEventOwner } from './get-usage-event.ts'

export async function deleteUsage(services: Services, context: Context, eventId: string): Promise<void> {
  const { customerHash, customerId, name } = await getEventOwner(services, context, eventId)
  const { principal, now } = context
  await services.writeLedger(deleteTask({ principal, now, customerHash, customerId }, name))
}
