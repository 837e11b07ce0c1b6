// The operator's part: the state of the directory, its queue and its rules, with the operator's token.
import { count } from '../../browser-demo/dom.ts'
import { byId, element, post, request, showFailure } from './dom.mjs'

const VERIFIED_BY = {
  signature: 'its signature',
  pinned: 'a pinned key',
  source: 'the address of its sender',
  token: 'not verified: added by an operator',
  none: 'not verified',
}
const VERDICTS = { block: 'blocked', hide: 'hidden', allow: 'allowed' }
/** A part of a table that CSS shows as a block, as it does on narrow screens, would lose its role. */
const ROLES = { table: 'table', thead: 'rowgroup', tbody: 'rowgroup', tr: 'row', th: 'columnheader', td: 'cell' }
const TIME = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short' })

let token = ''

export function openOperator() {
  for (const part of document.querySelectorAll('#state :is(table, thead, tbody, tr, th)'))
    part.role = ROLES[part.localName]
  byId('operator').addEventListener('submit', (event) => {
    event.preventDefault()
    token = String(new FormData(event.target).get('token')).trim()
    update(() => {})
  })
  byId('grow').addEventListener('submit', (event) => {
    event.preventDefault()
    const shards = Number(new FormData(event.target).get('shards'))
    update(() => post('/v1/directory/shards', { shards }, authorization()))
  })
  byId('rule').addEventListener('submit', (event) => {
    event.preventDefault()
    const form = new FormData(event.target)
    const subject = subjectOf(String(form.get('subject')).trim())
    setRule({ ...subject, verdict: event.submitter.value, reason: String(form.get('reason')).trim() })
    event.target.reset()
  })
}

/** Changes the directory, then shows its new state. */
function update(change) {
  return showFailure(byId('operator-status'), async () => {
    await change()
    await showState()
  })
}

/** The id, key (its fingerprint) or host that a rule is about. */
function subjectOf(text) {
  if (text.startsWith('agent://')) return { id: text }
  return /^[\w-]{43}$/.test(text) ? { key: text } : { host: text }
}

const setRule = (rule) => update(() => post('/v1/directory/rules', { rules: [rule] }, authorization()))

const removeFromQueue = (id) =>
  update(() =>
    request(`/v1/directory/queue?id=${encodeURIComponent(id)}`, { method: 'DELETE', headers: authorization() }),
  )

const authorization = () => ({ authorization: `Bearer ${token}` })

async function showState() {
  const [{ cards, growth, shards, changes }, { rules, total }, { waiting, total: queued }] = await Promise.all(
    ['state', 'rules?limit=100', 'queue?limit=100'].map((name) =>
      request(`/v1/directory/${name}`, { headers: authorization() }),
    ),
  )
  const silent = shards.filter(({ answers }) => !answers).length
  const totals = [
    ['Cards', count(cards)],
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
  byId('waiting-title').textContent = caption('Waiting for approval', queued, waiting.length)
  byId('rules-title').textContent = caption('Rules', total, rules.length)
  byId('grow').elements.shards.min = String(growth.shards)
  byId('state').hidden = false
}

/** Fills a table. Each cell gets the title of its column, which narrow screens show before the cell. */
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
  const started = `${startedInMs} ms, ${openedFrom === 'snapshot' ? 'from the saved index' : 'from the cards'}`
  return row(
    String(shard),
    count(cards),
    share,
    mebibytes(storedBytes),
    mebibytes(memoryBytes),
    count(unsaved),
    started,
  )
}

const mebibytes = (bytes) => `${(bytes / 2 ** 20).toFixed(1)} MiB`

function caption(title, total, shown) {
  if (total === 0) return `${title}: none`
  return `${title}: ${shown < total ? `${count(shown)} of ` : ''}${count(total)}`
}

/** Buttons with their actions. Their labels name the subject, because screen readers may not read the row. */
function actions(subject, ...named) {
  return element(
    'span',
    { class: 'actions' },
    ...named.map(([label, run]) => {
      const button = element('button', { type: 'button', 'aria-label': `${label}: ${subject}` }, label)
      button.addEventListener('click', run)
      return button
    }),
  )
}

function waitingRow({ id, name, description = '', came }) {
  const about = `${name}. ${description}`.slice(0, 300)
  const choices = actions(
    id,
    ['Allow', () => setRule({ id, verdict: 'allow' })],
    ['Discard', () => removeFromQueue(id)],
    ['Block', () => setRule({ id, verdict: 'block' })],
  )
  return row(id, about, TIME.format(new Date(came)), choices)
}

function ruleRow({ id, key, host, verdict, reason, at }) {
  const subject = id ?? key ?? host
  const remove = actions(subject, ['Remove', () => setRule({ ...subjectOf(subject), verdict: 'none' })])
  return row(subject, VERDICTS[verdict], reason, TIME.format(new Date(at)), remove)
}

function changeRow({ id, standing, signer, revoked, retrievedAt, expiresAt }) {
  const expires = revoked ? 'revoked' : TIME.format(expiresAt)
  const choose = (subject) => () => {
    byId('rule').elements.subject.value = subject
    byId('rule').elements.reason.focus()
  }
  const choices = [['Agent', choose(id)], ...(signer === undefined ? [] : [['Key', choose(signer)]])]
  return row(id, VERIFIED_BY[standing] ?? standing, TIME.format(retrievedAt), expires, actions(id, ...choices))
}
