// A page that breaks leaves the frame standing.
import { useQueryClient } from '@tanstack/react-query'
import { Component, type ReactNode } from 'react'
import { useLocation } from 'wouter'
import { Failure } from '../parts/failure.tsx'

type Props = { location: string; retry(): void; children: ReactNode }
type State = { error: Error | undefined; at: string }

// React catches the errors of what it draws only in a class.
class PageBoundary extends Component<Props, State> {
  override state: State = { error: undefined, at: this.props.location }

  static getDerivedStateFromError(error: Error): Partial<State> {
    return { error }
  }

  static getDerivedStateFromProps({ location }: Props, { at }: State): Partial<State> | null {
    return location === at ? null : { at: location, error: undefined }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === undefined) return this.props.children
    const retry = () => {
      this.props.retry()
      this.setState({ error: undefined })
    }
    return <Failure error={new Error(`This page could not be shown: ${error.message}`)} retry={retry} />
  }
}

export function ErrorBoundary({ children }: { children: ReactNode }) {
  const [location] = useLocation()
  const client = useQueryClient()
  return (
    <PageBoundary location={location} retry={() => void client.invalidateQueries()}>
      {children}
    </PageBoundary>
  )
}
