// The page of the directory. Text from cards is inserted as text, with its hidden characters visible, and nothing is
// loaded from elsewhere.
import { visibleText } from '../../../bindings/text/hidden.ts'

const SVG = 'http://www.w3.org/2000/svg'
const FACTORS = { tags: 'Tags', text: 'Text', reputation: 'Reputation', availability: 'Availability', rating: 'Rating' }
const STANDINGS = {
  signature: 'its signature',
  pinned: 'a pinned key',
  source: 'the address of its sender',
  token: 'nobody: an operator put it in',
  none: 'nobody',
}
/** The agents that are listed before a search, and the tags that are shown of one. */
const MOST_NEWEST = 10
const MOST_TAGS = 12
const number = new Intl.NumberFormat('en')
const time = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })

const byId = (id) => document.getElementById(id)

/** An element with attributes and children; texts become text. */
function element(name, attributes = {}, ...children) {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, visibleText(value))
  made.append(...children.map((child) => (typeof child === 'string' ? visibleText(child) : child)))
  return made
}

/** A bar for a share of the largest possible value. */
function bar(share, label) {
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('viewBox', '0 0 100 8')
  svg.setAttribute('preserveAspectRatio', 'none')
  svg.setAttribute('role', 'img')
  svg.setAttribute('aria-label', label)
  for (const [kind, width] of [
    ['whole', 100],
    ['share', 100 * share],
  ]) {
    const rectangle = document.createElementNS(SVG, 'rect')
    rectangle.setAttribute('class', kind)
    rectangle.setAttribute('width', String(width))
    rectangle.setAttribute('height', '8')
    rectangle.setAttribute('rx', '2')
    svg.append(rectangle)
  }
  return svg
}

async function ask(path, options) {
  const response = await fetch(path, options)
  const body = await response.json()
  if (!response.ok)
    throw new Error(body.detail ?? body.diagnostics?.[0]?.detail ?? `The server answers ${response.status}.`)
  return body
}

function send(path, body, headers = {}) {
  const init = {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  }
  return ask(path, init)
}

/** Shows a failure in the place of the answer. */
async function telling(place, work, isWanted = () => true) {
  place.textContent = ''
  try {
    await work()
  } catch (error) {
    if (isWanted()) place.textContent = visibleText(error.message)
  }
}

/** Counts the lists that were asked for: only the last one is shown. */
let lists = 0

/** Shows the list of agents that `load` gives, under a line about it. */
function show(load) {
  const mine = ++lists
  const isLast = () => mine === lists
  return telling(
    byId('found'),
    async () => {
      const { line, items } = await load()
      if (!isLast()) return
      byId('found').textContent = line
      byId('results').replaceChildren(...items)
    },
    isLast,
  )
}

function search() {
  const form = new FormData(byId('search'))
  const query = String(form.get('query')).trim()
  const tags = String(form.get('tags'))
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
  show(() => (query === '' && tags.length === 0 ? newest() : best(query, tags)))
}

async function best(query, tags) {
  const wish = { ...(query !== '' && { query }), ...(tags.length > 0 && { tags }), limit: 20, explain: true }
  const { results, missing } = await send('/adp/discover', wish)
  const count = results.length === 1 ? '1 agent' : `${number.format(results.length)} agents`
  const line = results.length === 0 ? `Nobody fits${among(missing)}.` : `${count}${among(missing)}, the best first.`
  return { line, items: results.map(result) }
}

/** Before a search: the agents whose cards came last, or how the first one gets here. */
async function newest() {
  const { items, partial } = await ask(`/agents?orderBy=newest&pageSize=${MOST_NEWEST}`, { cache: 'no-cache' })
  const isEmpty = items.length === 0
  byId('begin').hidden = !isEmpty
  const line = isEmpty ? `There are no agents yet${among(partial)}.` : `The newest agents${among(partial)}.`
  return { line, items: items.map(newcomer) }
}

const among = (missing) =>
  missing === undefined ? '' : ` of the ${missing.answered} of ${missing.asked} shards that answered`

byId('search').addEventListener('submit', (event) => {
  event.preventDefault()
  search()
})

/** A link may bring the search: `/directory/?query=translate+contracts&tags=nlp`. */
for (const [name, value] of new URLSearchParams(location.search)) {
  const field = byId('search').elements.namedItem(name)
  if (field !== null) field.value = value
}
byId('publish').append(location.origin)
byId('samples').hidden = !['127.0.0.1', 'localhost'].includes(location.hostname)
search()

function newcomer({ displayName: name, description, tags, metadata: { id, verified } }) {
  return agent({ id, name, description, skills: tags }, verified)
}

/** The head of an agent in a list. */
function agent({ id, name, description = '', skills = [] }, verified, ...figures) {
  const item = element('li', {}, element('p', { class: 'title' }, element('span', {}, name), ...figures))
  const address = `/agents/${encodeURIComponent(id.slice('agent://'.length))}/card.json`
  item.append(element('a', { class: 'id', href: address }, id))
  if (!verified) item.append(element('p', { class: 'unverified' }, 'Unverified: nothing shows whose card it is.'))
  if (description !== '') item.append(element('p', {}, description.slice(0, 300)))
  if (skills.length > 0) item.append(element('p', { class: 'tags' }, skills.slice(0, MOST_TAGS).join(' · ')))
  return item
}

function result({ agent_card: card, score, verified, equivocations, why = [] }) {
  const item = agent(card, verified, score.toFixed(3))
  if (equivocations > 0) {
    const others = equivocations === 1 ? 'There is another card' : `There are ${equivocations} other cards`
    item.append(element('p', { class: 'unverified' }, `${others} with the same number, signed as this one is.`))
  }
  const rows = element('div', { class: 'why' })
  for (const { factor, value, weight, contribution, reason } of why) {
    const share = `${contribution.toFixed(3)} of ${weight.toFixed(3)}`
    rows.append(
      element('span', {}, FACTORS[factor]),
      bar(value, `${FACTORS[factor]}: ${share}`),
      element('span', {}, `${share} · ${reason}`),
    )
  }
  item.append(rows)
  return item
}

let token = ''

byId('operator').addEventListener('submit', (event) => {
  event.preventDefault()
  token = String(new FormData(event.target).get('token')).trim()
  telling(byId('told'), showState)
})

byId('grow').addEventListener('submit', (event) => {
  event.preventDefault()
  const shards = Number(new FormData(event.target).get('shards'))
  telling(byId('told'), async () => {
    await send('/v1/directory/shards', { shards }, operator())
    await showState()
  })
})

/** An id, a key (its fingerprint) or a host, as rules name them. */
function subjectOf(text) {
  if (text.startsWith('agent://')) return { id: text }
  return /^[\w-]{43}$/.test(text) ? { key: text } : { host: text }
}

byId('rule').addEventListener('submit', (event) => {
  event.preventDefault()
  const form = new FormData(event.target)
  const subject = subjectOf(String(form.get('subject')).trim())
  decide({ ...subject, verdict: event.submitter.value, reason: String(form.get('reason')).trim() })
  event.target.reset()
})

/** Changes a rule, and shows what has become of the directory. */
function decide(rule) {
  telling(byId('told'), async () => {
    await send('/v1/directory/rules', { rules: [rule] }, operator())
    await showState()
  })
}

function drop(id) {
  telling(byId('told'), async () => {
    await ask(`/v1/directory/queue?id=${encodeURIComponent(id)}`, { method: 'DELETE', headers: operator() })
    await showState()
  })
}

const operator = () => ({ authorization: `Bearer ${token}` })

async function showState() {
  const [{ cards, growth, shards, changes }, { rules, total }, { waiting, total: queued }] = await Promise.all(
    ['state', 'rules?limit=100', 'queue?limit=100'].map((name) =>
      ask(`/v1/directory/${name}`, { headers: operator() }),
    ),
  )
  const silent = shards.filter(({ answers }) => !answers).length
  const totals = [
    ['Cards', number.format(cards)],
    ['Shards', growth.moving ? `${growth.shards}, growing to ${growth.wanted}` : String(growth.shards)],
    ['Health', silent === 0 ? 'all shards answer' : `${silent} of ${shards.length} shards do not answer`],
  ]
  byId('totals').replaceChildren(
    ...totals.map(([name, value]) => element('div', {}, element('dt', {}, name), element('dd', {}, value))),
  )
  fill('shards', shards.map(shardRow))
  fill('changes', changes.map(changeRow))
  fill('waiting', waiting.map(waitingRow))
  fill('rules', rules.map(ruleRow))
  byId('waiting-title').textContent = titled('Waiting to be let in', queued, waiting.length)
  byId('rules-title').textContent = titled('Blocked and let in', total, rules.length)
  byId('grow').elements.shards.min = String(growth.shards)
  byId('state').hidden = false
}

/** A part of a table that is shown as a block, as rows are where the page is narrow, loses its role. */
const ROLES = { table: 'table', thead: 'rowgroup', tbody: 'rowgroup', tr: 'row', th: 'columnheader', td: 'cell' }

for (const part of document.querySelectorAll('#state :is(table, thead, tbody, tr, th)'))
  part.role = ROLES[part.localName]

/** Each cell gets the words of its head, which stand before it where the page is narrow. */
function fill(name, rows) {
  const { tHead } = byId(name).closest('table')
  const titles = [...tHead.rows[0].cells].map(({ textContent }) => textContent)
  for (const { cells } of rows) for (const [i, cell] of [...cells].entries()) cell.dataset.title = titles[i]
  byId(name).replaceChildren(...rows)
}

function row(...cells) {
  return element('tr', { role: ROLES.tr }, ...cells.map((cell) => element('td', { role: ROLES.td }, cell)))
}

function shardRow({ shard, from, to, answers, cards, storedBytes, memoryBytes, unsaved, startedInMs, openedFrom }) {
  const share = `${((100 * (to - from)) / 2 ** 32).toFixed(1)} %`
  if (!answers) return row(String(shard), 'does not answer', share, '', '', '', '')
  const ready = `${startedInMs} ms, ${openedFrom === 'snapshot' ? 'from the saved index' : 'from the cards'}`
  return row(
    String(shard),
    number.format(cards),
    share,
    mebibytes(storedBytes),
    mebibytes(memoryBytes),
    number.format(unsaved),
    ready,
  )
}

function mebibytes(bytes) {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`
}

function titled(title, all, shown) {
  if (all === 0) return `${title}: nobody`
  return shown < all ? `${title}: ${number.format(shown)} of ${number.format(all)}` : `${title}: ${number.format(all)}`
}

/** Buttons, each with what it does; who cannot see the row is told whom it is about. */
function decisions(about, ...named) {
  return element(
    'span',
    { class: 'decide' },
    ...named.map(([label, work]) => {
      const button = element('button', { type: 'button', 'aria-label': `${label}: ${about}` }, label)
      button.addEventListener('click', work)
      return button
    }),
  )
}

function waitingRow({ id, name, description = '', came }) {
  const says = `${name}. ${description}`.slice(0, 300)
  const choices = decisions(
    id,
    ['Let in', () => decide({ id, verdict: 'allow' })],
    ['Drop', () => drop(id)],
    ['Block', () => decide({ id, verdict: 'block' })],
  )
  return row(id, says, time.format(new Date(came)), choices)
}

const RULED = { block: 'blocked', hide: 'hidden', allow: 'let in' }

function ruleRow({ id, key, host, verdict, reason, at }) {
  const whom = id ?? key ?? host
  const lift = decisions(whom, ['Lift', () => decide({ ...subjectOf(whom), verdict: 'none' })])
  return row(whom, RULED[verdict], reason, time.format(new Date(at)), lift)
}

function changeRow({ id, standing, signer, revoked, retrievedAt, expiresAt }) {
  const until = revoked ? 'revoked' : time.format(expiresAt)
  const fill = (subject) => () => {
    byId('rule').elements.subject.value = subject
    byId('rule').elements.reason.focus()
  }
  const choices = [['Agent', fill(id)], ...(signer === undefined ? [] : [['Key', fill(signer)]])]
  return row(id, STANDINGS[standing] ?? standing, time.format(retrievedAt), until, decisions(id, ...choices))
}
