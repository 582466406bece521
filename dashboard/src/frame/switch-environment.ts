// Going to the other environment keeps the page, but not the thing: a customer of test is another one, or none, in live.
import { useLocation, useRouter } from 'wouter'
import type { Environment } from '../api/client.ts'
import { keepEnvironment, useEnvironment } from '../api/environment.ts'

export function useSwitchEnvironment(): (environment: Environment) => void {
  const current = useEnvironment()
  const { base } = useRouter()
  const [location, navigate] = useLocation()
  return (environment) => {
    if (environment === current) return
    keepEnvironment(environment)
    const page = base === '' ? '' : (location.split('/')[1] ?? '')
    navigate(`~/${environment}${page === '' ? '' : `/${page}`}`)
  }
}
