// Sets the colour scheme before the first paint: the one chosen in this browser, else the one of the system.
;(() => {
  let chosen = null
  try {
    chosen = window.localStorage.getItem('tollkeeper.colour')
  } catch {
    // A browser that keeps nothing follows the system.
  }
  const isDark =
    chosen === 'dark' || (chosen !== 'light' && window.matchMedia('(prefers-color-scheme: dark)').matches)
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light')
})()
