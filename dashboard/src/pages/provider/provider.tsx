// Provider: how this environment and its payment provider stand: connection, what it told us and what became of that, what
// differs, and, where it is simulated, playing the account's owner.
import { Button } from '@mantine/core'
import { IconDownload, IconExternalLink } from '@tabler/icons-react'
import { useChange, useGet } from '../../api/queries.ts'
import { useMay } from '../../api/session.ts'
import { Failure } from '../../parts/failure.tsx'
import { formatCount } from '../../parts/format.ts'
import { PageHeader } from '../../parts/page-header.tsx'
import { useToast } from '../../parts/toast.tsx'
import { Compare } from './compare.tsx'
import { Connection } from './connection.tsx'
import { Inbox } from './inbox.tsx'
import { LagChart } from './lag-chart.tsx'
import classes from './provider.module.css'
import { SimulatedAccount } from './simulated-account.tsx'

export function Provider() {
  const { data, error, refetch } = useGet('/provider', {}, { isLive: true })
  const mayWrite = useMay()
  const toast = useToast()
  const importing = useChange((api, _: undefined) => api.post('/v1/products/sync'))
  const importCatalogue = () =>
    importing.mutate(undefined, {
      onSuccess: (answer) =>
        toast({
          text:
            'products' in answer
              ? `Imported ${formatCount(answer.products.length, 'product')}`
              : 'The catalogue is large: it is imported in the background',
        }),
      onError: (problem) => toast({ text: problem.message, isError: true }),
    })
  const link = data?.dashboardUrl ?? data?.simulatorUrl
  const isConnected = data !== undefined && data.mode !== 'none'
  return (
    <>
      <PageHeader
        title="Provider"
        actions={
          <>
            {link !== undefined && (
              <Button
                variant="default"
                component="a"
                href={link}
                target="_blank"
                rel="noreferrer"
                leftSection={<IconExternalLink size={15} />}
              >
                {data?.mode === 'simulator' ? 'Open simulator' : 'Open account'}
              </Button>
            )}
            {mayWrite && isConnected && (
              <Button
                leftSection={<IconDownload size={15} />}
                loading={importing.isPending || data.catalogueImport.isRunning}
                onClick={importCatalogue}
              >
                Import catalogue
              </Button>
            )}
          </>
        }
      />
      {data === undefined && error !== null ? (
        <Failure error={error} retry={() => void refetch()} />
      ) : (
        <div className={classes.sections}>
          <Connection status={data} />
          {(data === undefined || isConnected) && (
            <>
              <LagChart lagPerHour={data?.lagPerHour} />
              <Compare />
              {data?.mode === 'simulator' && <SimulatedAccount />}
              <Inbox counts={data?.inbox} />
            </>
          )}
        </div>
      )}
    </>
  )
}
