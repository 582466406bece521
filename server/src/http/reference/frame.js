// The script of every page for readers: a slash goes to the search, and code is copied.
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? '')) return
  event.preventDefault()
  document.querySelector('#search').focus()
})

document.addEventListener('click', async ({ target }) => {
  if (!target.matches('.copy')) return
  const shown = [...target.closest('.panel').querySelectorAll('pre')].find((each) => !each.hidden)
  const copied = await navigator.clipboard.writeText(shown.textContent).then(
    () => true,
    () => false,
  )
  target.textContent = copied ? 'Copied' : 'Press Ctrl+C'
  if (!copied) getSelection().selectAllChildren(shown)
  setTimeout(() => {
    target.textContent = 'Copy'
  }, 1500)
})
