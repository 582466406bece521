// How an environment stands with its payment provider: what it is, when it was last heard of, and what waits to be worked off.
import { isImporting } from '../../storage/billing/catalogue-imports.ts'
import {
  type InboxLag,
  type InboxSummary,
  listInboxLag,
  readInboxSummary,
} from '../../storage/billing/inbox.ts'
import { countUnlinked } from '../../storage/billing/links.ts'
import { readReconciledAt } from '../../storage/billing/provider-events.ts'
import type { Context } from '../context.ts'
import type { Installation, Services } from '../services.ts'

export type ProviderStatus = {
  mode: Installation['providers']['test']['provider']
  dashboardUrl: string | undefined
  simulatorUrl: string | undefined
  webhookUrl: string
  lastEventAt: number | null
  lastReconciledAt: number | null
  inbox: Omit<InboxSummary, 'lastEventAt'>
  lagPerHour: InboxLag[]
  isImporting: boolean
  unlinked: number
}

const dayMs = 86_400_000
const lagDays = 2

/** Events live in real time, whatever the environment's clock says. */
export async function describeProvider(services: Services, { principal }: Context): Promise<ProviderStatus> {
  const { database, installation, providers, publicUrl } = services
  const { pool } = database
  const { environment } = principal
  const now = Date.now()
  const { provider: mode, simulatorUrl } = installation.providers[environment]
  const [{ lastEventAt, ...inbox }, lagPerHour, reconciledAt, importing, unlinked] = await Promise.all([
    readInboxSummary(pool, environment, now - (now % dayMs)),
    listInboxLag(pool, environment, now - lagDays * dayMs),
    readReconciledAt(pool, environment),
    isImporting(pool, environment),
    mode === 'none' ? 0 : countUnlinked(pool, environment),
  ])
  return {
    mode,
    dashboardUrl: providers[environment]?.pages?.account,
    simulatorUrl: simulatorUrl ?? undefined,
    webhookUrl: `${publicUrl()}/provider/webhooks/${environment}`,
    lastEventAt,
    lastReconciledAt: reconciledAt ?? null,
    inbox,
    lagPerHour,
    isImporting: importing,
    unlinked,
  }
}
