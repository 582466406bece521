// Whether there is demo data, and how many of its customers are left.
import type { Principal } from '../../domain/principal.ts'
import { findDemo, listDemoCustomers } from '../../storage/demo/demo.ts'
import type { Services } from '../services.ts'

export type Demo = { isPresent: boolean; isFinished: boolean; customers: number }

export async function getDemo({ database }: Services, { environment }: Principal): Promise<Demo> {
  const run = await findDemo(database.pool, environment)
  const customers = await listDemoCustomers(database.pool, environment)
  const isPresent = run !== undefined && (!run.isRemoved || customers.length > 0)
  return { isPresent, isFinished: run?.isFinished ?? false, customers: customers.length }
}
