// Where the link of an invitation, or of a new password, leads.
import { useSearch } from 'wouter'
import { LinkForm } from './link-form.tsx'

export function Join() {
  return <LinkForm token={new URLSearchParams(useSearch()).get('token') ?? ''} />
}
