// The search: the newest agents, or the results of a query with the factors of their scores.
import { factorsOf, scoreBar } from '../../browser-demo/directory/factors.ts'
import { plural } from '../../browser-demo/dom.ts'
import { byId, element, post, request, showFailure } from './dom.mjs'

/** The agents that are listed before a search, and the tags that are shown for an agent. */
const MOST_NEWEST = 10
const MOST_TAGS = 12

/** The number of the last search; results of earlier ones are dropped. */
let searches = 0

/** Sets up the form. A link may contain the query: `/directory/?query=translate+contracts&tags=nlp`. */
export function openSearch() {
  const form = byId('search')
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    search()
  })
  for (const [name, value] of new URLSearchParams(location.search)) {
    const field = form.elements.namedItem(name)
    if (field !== null) field.value = value
  }
  byId('publish').append(location.origin)
  byId('samples').hidden = !['127.0.0.1', 'localhost'].includes(location.hostname)
  search()
}

function search() {
  const form = new FormData(byId('search'))
  const query = String(form.get('query')).trim()
  const tags = String(form.get('tags'))
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')
  const mine = ++searches
  const isLast = () => mine === searches
  const status = byId('search-status')
  const run = async () => {
    const { summary, items } = await (query === '' && tags.length === 0 ? newest() : best(query, tags))
    if (!isLast()) return
    status.textContent = summary
    byId('results').replaceChildren(...items)
  }
  return showFailure(status, run, isLast)
}

async function best(text, tags) {
  const query = { ...(text !== '' && { query: text }), ...(tags.length > 0 && { tags }), limit: 20, explain: true }
  const { results, missing } = await post('/adp/discover', query)
  const summary = results.length === 0 ? 'No agent matches' : `${plural(results.length, 'agent')}, best first`
  return { summary: summary + answersOf(missing), items: results.map(resultItem) }
}

/** Without a query: the newest agents, or in an empty directory how to publish the first one. */
async function newest() {
  const { items, partial } = await request(`/agents?orderBy=newest&pageSize=${MOST_NEWEST}`, { cache: 'no-cache' })
  byId('first-steps').hidden = items.length > 0
  const summary = items.length === 0 ? 'There are no agents yet' : 'The newest agents'
  return { summary: summary + answersOf(partial), items: items.map(newestItem) }
}

/** The end of a summary: how many shards answered, unless all did. */
const answersOf = (missing) =>
  missing === undefined ? '.' : `. Only ${missing.answered} of ${missing.asked} shards answered.`

function newestItem({ displayName: name, description, tags, metadata: { id, verified } }) {
  return agentItem({ id, name, description, skills: tags }, verified)
}

function agentItem({ id, name, description = '', skills = [] }, verified, ...figures) {
  const item = element('li', {}, element('p', { class: 'title' }, element('span', {}, name), ...figures))
  const address = `/agents/${encodeURIComponent(id.slice('agent://'.length))}/card.json`
  item.append(element('a', { class: 'id', href: address }, id))
  if (!verified) item.append(element('p', { class: 'unverified' }, 'Unverified: nothing proves whose card this is.'))
  if (description !== '') item.append(element('p', {}, description.slice(0, 300)))
  if (skills.length > 0) item.append(element('p', { class: 'tags' }, skills.slice(0, MOST_TAGS).join(' · ')))
  return item
}

function resultItem({ agent_card: card, score, verified, equivocations, why = [] }) {
  const item = agentItem(card, verified, score.toFixed(3))
  if (equivocations > 0) {
    const others = equivocations === 1 ? 'Another card' : `${equivocations} other cards`
    item.append(element('p', { class: 'unverified' }, `${others} with the same seq and signer exist.`))
  }
  item.append(scoreBar(score, why), factorsOf(card.name, why))
  return item
}
