// The places of a customer's page before it is read.
import { Skeleton } from '@mantine/core'
import { PageHeader } from '../../parts/page-header.tsx'
import classes from './customer.module.css'

export function CustomerSkeleton({ customerId }: { customerId: string }) {
  return (
    <>
      <PageHeader title={customerId} below={<Skeleton height={12} width={240} />} isLoading />
      <div className={classes.columns}>
        <div className={classes.main}>
          {[0, 1, 2].map((row) => (
            <Skeleton key={row} height={76} />
          ))}
          <Skeleton height={240} />
        </div>
        <div className={classes.aside}>
          <Skeleton height={140} />
          <Skeleton height={140} />
        </div>
      </div>
    </>
  )
}
