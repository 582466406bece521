// What is around every page: side bar, top bar, the strip that says TEST, shortcuts and the palette.
import { Drawer } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { Suspense, useState } from 'react'
import { Route, Switch } from 'wouter'
import { useEnvironment } from '../api/environment.ts'
import { pages } from '../pages.tsx'
import { ErrorBoundary } from './error-boundary.tsx'
import classes from './frame.module.css'
import { PageSkeleton } from './frame-skeleton.tsx'
import { NotFound } from './not-found.tsx'
import { Palette } from './palette.tsx'
import { ShortcutList } from './shortcut-list.tsx'
import { useShortcuts } from './shortcuts.ts'
import { SideBar } from './side-bar.tsx'
import { TestStrip } from './test-strip.tsx'
import { TopBar } from './top-bar.tsx'

export function Frame({ isOutside }: { isOutside: boolean }) {
  const environment = useEnvironment()
  const [isMenuOpen, menu] = useDisclosure()
  const [isPaletteOpen, palette] = useDisclosure()
  const [areKeysShown, setKeysShown] = useState(false)
  useShortcuts({ openPalette: palette.open, showKeys: () => setKeysShown(true) })
  const shown = pages.filter((page) => (page.isOutside ?? false) === isOutside)
  return (
    <div className={classes.frame}>
      <a className={classes.skip} href="#content">
        Skip to content
      </a>
      {environment === 'test' && <TestStrip />}
      <aside className={classes.side}>
        <SideBar />
      </aside>
      <Drawer
        opened={isMenuOpen}
        onClose={menu.close}
        position="left"
        size={232}
        title="Tollkeeper"
        closeButtonProps={{ 'aria-label': 'Close the menu' }}
      >
        <SideBar isSheet onLeave={menu.close} />
      </Drawer>
      <div className={classes.main}>
        <TopBar onMenu={menu.open} onPalette={palette.open} onKeys={() => setKeysShown(true)} />
        <main id="content" className={classes.content} tabIndex={-1}>
          <ErrorBoundary>
            <Suspense fallback={<PageSkeleton />}>
              <Switch>
                {shown.map(({ route, component: Component }) => (
                  <Route key={route} path={route}>
                    {(params: Record<string, string | undefined>) => (
                      <Component params={decodeParams(params)} />
                    )}
                  </Route>
                ))}
                <Route>
                  <NotFound />
                </Route>
              </Switch>
            </Suspense>
          </ErrorBoundary>
        </main>
      </div>
      <Palette isOpen={isPaletteOpen} onClose={palette.close} />
      <ShortcutList isOpen={areKeysShown} onClose={() => setKeysShown(false)} />
    </div>
  )
}

/** Ids may hold any character. */
function decodeParams(params: Record<string, string | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      try {
        return [name, value === undefined ? undefined : decodeURIComponent(value)]
      } catch {
        return [name, value]
      }
    }),
  )
}
