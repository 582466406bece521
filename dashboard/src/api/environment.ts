// Which environment is looked at: the one in the address, else the one looked at last.
import { createContext, useContext } from 'react'
import { type Environment, type EnvironmentApi, environmentApis } from './client.ts'

export const EnvironmentContext = createContext<Environment>('test')

export const useEnvironment = (): Environment => useContext(EnvironmentContext)

export const useApi = (): EnvironmentApi => environmentApis[useEnvironment()]

const place = 'tollkeeper.environment'

export function readLastEnvironment(): Environment {
  try {
    return window.localStorage.getItem(place) === 'live' ? 'live' : 'test'
  } catch {
    return 'test'
  }
}

export function keepEnvironment(environment: Environment): void {
  try {
    window.localStorage.setItem(place, environment)
  } catch {
    // A browser that keeps nothing begins in test.
  }
}
