// What a run costs beside its time: processor time from /proc, WAL and buffers from PostgreSQL's own counts.
import { readdirSync, readFileSync } from 'node:fs'
import type pg from 'pg'

/** User and system time of a process so far, its children that have ended included. */
function readCpuMs(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program may hold blanks; fields are counted from behind it.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    // Counted in ticks of 10 ms everywhere that matters.
    return [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0) * 10
  } catch {
    return 0
  }
}

function findChildren(pid: number): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const text = readFileSync(`/proc/${name}/stat`, 'utf8')
      const parent = Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1])
      return parent === pid ? [Number(name)] : []
    } catch {
      return []
    }
  })
}

export function readMemoryMb(pid: number): number {
  const text = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(text)?.[1]) / 1024
}

export type Costs = { serviceMs: number; databaseMs: number; walBytes: number; bufferHits: number }

/** The sum over the instances of the service, and over the server and all its backends. */
export async function readCosts(client: pg.Client, servicePids: number[]): Promise<Costs> {
  const { rows } = await client.query<{ pid: number; wal: string; hits: string }>(
    `select pg_backend_pid() as pid, pg_current_wal_insert_lsn() - '0/0' as wal,
       (select blks_hit from pg_stat_database where datname = current_database()) as hits`,
  )
  const { pid, wal, hits } = rows[0] as { pid: number; wal: string; hits: string }
  const postmaster = findParent(pid)
  return {
    serviceMs: servicePids.reduce((sum, each) => sum + readCpuMs(each), 0),
    databaseMs: [postmaster, ...findChildren(postmaster)].reduce((sum, each) => sum + readCpuMs(each), 0),
    walBytes: Number(wal),
    bufferHits: Number(hits),
  }
}

function findParent(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[1])
}

export const subtractCosts = (after: Costs, before: Costs): Costs => ({
  serviceMs: after.serviceMs - before.serviceMs,
  databaseMs: after.databaseMs - before.databaseMs,
  walBytes: after.walBytes - before.walBytes,
  bufferHits: after.bufferHits - before.bufferHits,
})
