// Where an address leads nowhere.
import { Link } from 'wouter'
import { PageHeader } from '../parts/page-header.tsx'

export function NotFound() {
  return (
    <>
      <PageHeader title="Nothing here" below="No page has this address." />
      <Link href="/">Go home</Link>
    </>
  )
}
