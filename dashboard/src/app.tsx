// Puts the dashboard together: the look, what is kept of answers, and which page an address means.
import { localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { QueryClientProvider } from '@tanstack/react-query'
import { lazy, Suspense, useEffect } from 'react'
import { Redirect, Router, useLocation } from 'wouter'
import type { Environment } from './api/client.ts'
import { EnvironmentContext, keepEnvironment, readLastEnvironment } from './api/environment.ts'
import { createQueryClient } from './api/queries.ts'
import { Frame } from './frame/frame.tsx'
import { useScrollKeeping } from './frame/scroll-keeping.ts'
import { SignedIn } from './frame/signed-in.tsx'
import { Toaster } from './parts/toast.tsx'
import { theme } from './theme.ts'

const Login = lazy(async () => ({ default: (await import('./pages/sign-in/login.tsx')).Login }))
const Join = lazy(async () => ({ default: (await import('./pages/sign-in/join.tsx')).Join }))

const queryClient = createQueryClient()
const colours = localStorageColorSchemeManager({ key: 'tollkeeper.colour' })
const nonce = document.querySelector('meta[name="csp-nonce"]')?.getAttribute('content') ?? ''
// Read by the package that stops the page from scrolling behind a drawer.
Object.assign(window, { __webpack_nonce__: nonce })

export function App() {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      colorSchemeManager={colours}
      getStyleNonce={() => nonce}
    >
      <QueryClientProvider client={queryClient}>
        <Toaster>
          <Place />
        </Toaster>
      </QueryClientProvider>
    </MantineProvider>
  )
}

function Place() {
  const [location] = useLocation()
  useScrollKeeping(location)
  const first = location.split('/')[1]
  if (first === 'login' || first === 'join') {
    return <Suspense>{first === 'login' ? <Login /> : <Join />}</Suspense>
  }
  if (first === 'test' || first === 'live') return <OfEnvironment key={first} environment={first} />
  if (first === 'settings')
    return <OfEnvironment key="settings" environment={readLastEnvironment()} isOutside />
  return <Redirect to={`/${readLastEnvironment()}`} replace />
}

/** Pages outside an environment are still looked at from one. */
function OfEnvironment({
  environment,
  isOutside = false,
}: {
  environment: Environment
  isOutside?: boolean
}) {
  useEffect(() => keepEnvironment(environment), [environment])
  const frame = <Frame isOutside={isOutside} />
  return (
    <EnvironmentContext value={environment}>
      <SignedIn>{isOutside ? frame : <Router base={`/${environment}`}>{frame}</Router>}</SignedIn>
    </EnvironmentContext>
  )
}
