// The reference page's own script: search, tabs, and trying a route with the reader's key, which is kept nowhere.
const find = (selector, within = document) => within.querySelector(selector)
const findAll = (selector, within = document) => [...within.querySelectorAll(selector)]

const search = find('#search')
const key = find('#key')

// What is searched in: the words of a route, and the names and descriptions of its fields.
const sections = findAll('.operation[data-words], .object').map((section) => ({
  section,
  words: `${section.dataset.words} ${findAll('dt, dd', section)
    .map((each) => each.textContent)
    .join(' ')
    .toLowerCase()}`,
  entry: find(`nav a[href="#${section.id}"]`)?.closest('li'),
}))

function filter() {
  const asked = search.value.toLowerCase().split(/\s+/).filter(Boolean)
  let count = 0
  for (const { section, words, entry } of sections) {
    const isHidden = !asked.every((word) => words.includes(word))
    section.hidden = isHidden
    if (entry) entry.hidden = isHidden
    if (!isHidden) count++
  }
  for (const group of findAll('.group')) {
    group.hidden = asked.length > 0 && findAll('.operation, .object', group).every((each) => each.hidden)
    const heading = find(`nav h2 a[href="#${group.id}"]`)?.closest('h2')
    if (heading) heading.hidden = group.hidden
  }
  find('#top').hidden = asked.length > 0
  find('#nothing').hidden = count > 0
}

search.addEventListener('input', filter)
search.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') {
    search.value = ''
    filter()
    search.blur()
  }
})

// Whoever chooses a language means it for every route.
function choose(label) {
  for (const samples of findAll('.samples')) {
    const tabs = findAll('[role=tab]', samples)
    const chosen = tabs.find((tab) => tab.dataset.label === label) ?? tabs[0]
    for (const tab of tabs) {
      const isChosen = tab === chosen
      tab.setAttribute('aria-selected', String(isChosen))
      tab.tabIndex = isChosen ? 0 : -1
      document.getElementById(tab.getAttribute('aria-controls')).hidden = !isChosen
    }
  }
}

document.addEventListener('click', ({ target }) => {
  if (!target.matches('[role=tab]')) return
  const before = target.getBoundingClientRect().top
  choose(target.dataset.label)
  // What changes above must not move what was pressed.
  window.scrollBy({ top: target.getBoundingClientRect().top - before, behavior: 'instant' })
})
document.addEventListener('keydown', (event) => {
  if (!event.target.matches('[role=tab]') || !/^Arrow(Left|Right)$/.test(event.key)) return
  const tabs = findAll('[role=tab]', event.target.closest('[role=tablist]'))
  const step = event.key === 'ArrowRight' ? 1 : tabs.length - 1
  const next = tabs[(tabs.indexOf(event.target) + step) % tabs.length]
  choose(next.dataset.label)
  next.focus()
})

function readRequest(form) {
  const fields = findAll('[data-in]', form).filter((field) => field.value !== '')
  const of = (place) => fields.filter((field) => field.dataset.in === place)
  let address = form.dataset.path
  for (const field of of('path'))
    address = address.replace(`{${field.name}}`, encodeURIComponent(field.value))
  const query = new URLSearchParams(of('query').map((field) => [field.name, field.value]))
  const headers = { 'x-api-key': key.value }
  for (const field of of('header')) headers[field.name] = field.value
  const body = find('[name=body]', form)?.value
  if (body !== undefined) headers['content-type'] = 'application/json'
  const { method } = form.dataset
  return [query.size > 0 ? `${address}?${query}` : address, { method, headers, body, cache: 'no-store' }]
}

const element = (name, text, className = '') => {
  const made = document.createElement(name)
  made.textContent = text
  made.className = className
  return made
}

async function send(form) {
  const output = find('output', form)
  if (key.value === '') {
    output.replaceChildren(element('p', 'Enter an API key at the top of the page first.', 'bad'))
    key.focus()
    return
  }
  const isLive = key.value.startsWith('tk_live_') && form.dataset.method !== 'GET'
  if (isLive && !window.confirm('This key is of the live environment. Send it all the same?')) return
  const startedAt = performance.now()
  const response = await fetch(...readRequest(form))
  const text = await response.text()
  const line = element('p', '')
  line.append(
    element('span', `${response.status} ${response.statusText}`, response.ok ? 'good' : 'bad'),
    ` ${Math.round(performance.now() - startedAt)} ms`,
    ...['x-error-code', 'x-request-id', 'ratelimit'].flatMap((name) =>
      response.headers.has(name) ? [` · ${name}: ${response.headers.get(name)}`] : [],
    ),
  )
  output.replaceChildren(line, element('pre', indent(text)))
}

function indent(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

document.addEventListener('submit', async (event) => {
  event.preventDefault()
  const button = find('button[type=submit]', event.target)
  button.disabled = true
  await send(event.target).catch((error) =>
    find('output', event.target).replaceChildren(element('p', `No answer: ${error.message}`, 'bad')),
  )
  button.disabled = false
})

// The contents follow the reading.
const links = new Map(findAll('nav li a').map((link) => [link.getAttribute('href').slice(1), link]))
const watcher = new IntersectionObserver(
  (changes) => {
    for (const { isIntersecting, target } of changes) {
      if (!isIntersecting) continue
      for (const link of links.values()) link.removeAttribute('aria-current')
      links.get(target.id)?.setAttribute('aria-current', 'true')
      links.get(target.id)?.scrollIntoView({ block: 'nearest' })
    }
  },
  { rootMargin: '-72px 0px -75% 0px' },
)
for (const section of findAll('.operation, .object')) watcher.observe(section)
