// The guide's own script: search over all pages. The index is loaded when somebody first wants it.
const search = document.querySelector('#search')
const found = document.querySelector('#found')
const reading = document.querySelector('.document')
const mostShown = 30

let index
const loadIndex = () => {
  index ??= fetch('/guide/search.json').then((response) => {
    if (!response.ok) throw new Error(`the answer was ${response.status}`)
    return response.json()
  })
  // What failed is tried again at the next letter.
  index.catch(() => {
    index = undefined
  })
  return index
}

// A word in a heading says more than one in the text.
function score({ title, heading, text }, words) {
  let sum = 0
  for (const word of words) {
    if (heading.toLowerCase().includes(word)) sum += 3
    else if (title.toLowerCase().includes(word)) sum += 2
    else if (text.toLowerCase().includes(word)) sum += 1
    else return 0
  }
  return sum
}

const element = (name, ...children) => {
  const made = document.createElement(name)
  made.append(...children)
  return made
}

// The text around the first hit, with the hit marked.
function excerpt(text, words) {
  const lower = text.toLowerCase()
  const hits = words.map((word) => [lower.indexOf(word), word.length]).filter(([at]) => at >= 0)
  const [at, length] = hits.sort(([a], [b]) => a - b)[0] ?? [0, 0]
  const from = at < 60 ? 0 : text.lastIndexOf(' ', at - 40) + 1
  return element(
    'p',
    from > 0 ? '… ' : '',
    text.slice(from, at),
    element('mark', text.slice(at, at + length)),
    text.slice(at + length, from + 180),
    from + 180 < text.length ? ' …' : '',
  )
}

function show(entries, words) {
  const links = entries.slice(0, mostShown).map(({ href, title, heading, text }) => {
    const link = element('a', element('b', heading || title), heading ? ` ${title}` : '')
    link.href = href
    link.addEventListener('click', close)
    return element('li', link, excerpt(text, words))
  })
  const count = entries.length === 0 ? 'Nothing matches.' : `${entries.length} found`
  found.replaceChildren(element('h1', count), element('ol', ...links))
}

function close() {
  search.value = ''
  found.hidden = true
  reading.hidden = false
}

async function run() {
  const asked = search.value
  const words = asked.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return close()
  try {
    const entries = await loadIndex()
    // Somebody typed on meanwhile.
    if (search.value !== asked) return
    const scored = entries.map((entry) => [score(entry, words), entry]).filter(([points]) => points > 0)
    show(
      scored.sort(([a], [b]) => b - a).map(([, entry]) => entry),
      words,
    )
  } catch (error) {
    found.replaceChildren(element('p', `The search could not be loaded: ${error.message}.`))
  }
  found.hidden = false
  reading.hidden = true
}

search.addEventListener('focus', () => loadIndex().catch(() => {}))
search.addEventListener('input', run)
search.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') {
    close()
    search.blur()
  }
  if (event.key === 'Enter') found.querySelector('a')?.click()
})
