import { isAgentName } from 'blazon/adl'
import { type AgentSignals, DEFAULT_LIMITS, type handleInvocation, type StoredCard } from 'blazon/directory'
import { parseJson } from 'blazon/document'
import { decodeBase64url, encodeBase64url, KeyError } from 'blazon/keys'
import { generationOf, secretOf, withdraw } from '../access/admit.ts'
import { type Access, type Call, route } from '../access/route.ts'
import { isAgent, isDefinition, isHolder, isScope, SCOPES, type Scope, tokenOf } from '../access/token.ts'
import { type Rule, SUBJECTS, type Subject, VERDICTS, type Verdict } from '../contracts/directory.ts'
import { claimsOf, MOST_SHARDS } from '../directory/layout.ts'
import { readStored, shardedDirectory, tellSignals } from '../directory/service.ts'
import { directoryMap, type Env, moderation, shardStub } from '../env.ts'
import { apiHeaders, json, streamOf } from '../http/answer.ts'
import { BODY_BYTES, JSON_BODY, LINES_BODY, LINES_TYPE, objectIn } from '../http/body.ts'
import { publicOrigins } from '../http/origins.ts'
import { Problem } from '../http/problem.ts'
import { badParameter, integer, PAGED } from '../http/query.ts'
import { decide, type Refuse, reasonOf } from '../moderation/rules.ts'
import { cardIn, formOf } from '../moderation/subjects.ts'

const EXPORT: Access = { scope: 'export' }
const OPERATE: Access = { scope: 'operate' }
const GRANT: Access = { scope: 'grant' }

export const ROUTES = [
  route('/v1/directory/state', { GET: { access: EXPORT, query: {}, answer: readState } }),
  route('/v1/directory/shards', { POST: { access: OPERATE, body: JSON_BODY, query: {}, answer: growShards } }),
  route('/v1/directory/signals', { POST: { access: OPERATE, body: JSON_BODY, query: {}, answer: sendSignals } }),
  route('/v1/directory/rules', {
    GET: { access: EXPORT, query: { from: 'once', limit: 'once' }, answer: readRules },
    POST: { access: OPERATE, body: JSON_BODY, query: {}, answer: changeRules },
  }),
  route('/v1/directory/queue', {
    GET: { access: EXPORT, query: PAGED, answer: readQueue },
    DELETE: { access: OPERATE, query: { id: 'often' }, answer: dropWaiting },
  }),
  route('/v1/tokens', {
    POST: { access: GRANT, body: JSON_BODY, query: {}, answer: giveTokens },
    DELETE: { access: GRANT, query: { holder: 'often' }, answer: withdrawTokens },
  }),
  route('/v1/directory/export', { GET: { access: EXPORT, query: PAGED, answer: exportCards } }),
  route('/v1/directory/import', { POST: { access: OPERATE, body: LINES_BODY, query: {}, answer: importCards } }),
]

// The state of the directory, its growth, and the signals of agents.

const MOST_CHANGES = 50

/** `GET /v1/directory/state`: the size of the directory, the state of its shards, and its latest changes. */
async function readState({ env }: Call): Promise<Response> {
  const map = directoryMap(env)
  const [growth, layout] = await Promise.all([map.growth(), map.layout()])
  const claims = claimsOf(layout)
  const asked = await Promise.allSettled(claims.map((claim) => shardStub(env, claim.shard).state(MOST_CHANGES)))
  const states = asked.map((answer) => (answer.status === 'fulfilled' ? answer.value : undefined))
  const changes = states
    .flatMap((state) => state?.changes ?? [])
    .sort((a, b) => b.retrievedAt - a.retrievedAt)
    .slice(0, MOST_CHANGES)
  const shards = claims.map(({ shard, from, to }, i) => {
    if (states[i] === undefined) return { shard, from, to, answers: false }
    const { changes: _inAll, ...state } = states[i]
    return { shard, from, to, answers: true, ...state }
  })
  const cards = states.reduce((sum, state) => sum + (state?.cards ?? 0), 0)
  return json({ cards, growth, shards, changes })
}

/** `POST /v1/directory/shards`: `{ shards: N }` grows the directory to N shards. It answers queries meanwhile. */
async function growShards({ env, body }: Call): Promise<Response> {
  const { shards } = objectIn(body)
  if (typeof shards !== 'number' || !Number.isInteger(shards) || shards < 1 || shards > MOST_SHARDS) {
    throw new Problem('bad-request', `Expected { "shards": N } with N from 1 to ${MOST_SHARDS}.`)
  }
  const map = directoryMap(env)
  const { shards: present } = await map.growth()
  if (shards < present) throw new Problem('bad-request', `There are ${present} shards, and their number cannot shrink.`)
  return json(await map.grow(shards), 202)
}

const MOST_AGENTS = 500

/**
 * `POST /v1/directory/signals`: what the deployment knows about agents (ADP section 5), by id: `{ "agent://scout": {
 * "reputation": 0.8, "online": true } }`. Replaces the earlier signals of an agent.
 */
async function sendSignals({ env, body }: Call): Promise<Response> {
  const agents = Object.entries(objectIn(body))
  if (agents.length > MOST_AGENTS)
    throw new Problem('bad-request', `Expected signals of at most ${MOST_AGENTS} agents.`)
  for (const [id, signals] of agents) {
    const wrong = faultOf(signals)
    if (wrong !== undefined) throw new Problem('bad-request', `${id.slice(0, 200)}: ${wrong}`)
    await tellSignals(env, id, signals as AgentSignals)
  }
  return json({ agents: agents.length })
}

const NUMBERS = {
  reputation: 1,
  rating: 1,
  completedTasks: Number.MAX_SAFE_INTEGER,
  activeTasks: Number.MAX_SAFE_INTEGER,
}

/** What is wrong with signals, or undefined. */
function faultOf(signals: unknown): string | undefined {
  if (typeof signals !== 'object' || signals === null) return 'expected an object'
  for (const [name, value] of Object.entries(signals)) {
    if (name === 'online' && typeof value === 'boolean') continue
    const most = Object.hasOwn(NUMBERS, name) ? NUMBERS[name as keyof typeof NUMBERS] : undefined
    if (most === undefined) return `${name} is not a known signal, or has the wrong type`
    if (!(typeof value === 'number' && value >= 0 && value <= most))
      return `${name}: expected a number from 0 to ${most}`
  }
  return undefined
}

// Issues and withdraws tokens. Requires the secret that they are derived from.

const MOST_HOLDERS = 100
/** For each scope, the holders that a token may have in addition to a name. */
const HOLDERS: Readonly<Partial<Record<Scope, (holder: string) => boolean>>> = {
  'publish-one': isAgent,
  'read-one': isDefinition,
}

/** `POST /v1/tokens`: `{ "scope": "publish", "holders": [...] }` issues a token for each holder. */
async function giveTokens({ env, body }: Call): Promise<Response> {
  const { scope, holders } = objectIn(body)
  if (!isScope(scope)) throw new Problem('bad-request', `Expected one of ${SCOPES.join(', ')} as the member scope.`)
  const mayHold = HOLDERS[scope] ?? isAgentName
  const [secret, origin] = [secretOf(env)!, publicOrigins(env)[0]!]
  const tokens = await Promise.all(
    holdersIn(holders, mayHold).map(async (holder) => {
      const generation = await generationOf(env, holder)
      return [holder, await tokenOf(secret, origin, { scope, holder, generation })] as const
    }),
  )
  return json({ tokens: Object.fromEntries(tokens) })
}

/**
 * `DELETE /v1/tokens?holder=HOLDER`: withdraws all tokens of each holder; tokens issued afterwards are different. Peers of
 * the holder's agent are disconnected and must connect again.
 */
async function withdrawTokens({ url, env }: Call): Promise<Response> {
  const withdrawn = holdersIn(url.searchParams.getAll('holder'), isHolder)
  await withdraw(env, withdrawn)
  return json({ withdrawn })
}

function holdersIn(holders: unknown, mayHold: (holder: string) => boolean): readonly string[] {
  const isList = Array.isArray(holders) && holders.length > 0 && holders.length <= MOST_HOLDERS
  const isOne = (holder: unknown) => typeof holder === 'string' && mayHold(holder)
  if (isList && holders.every(isOne)) return holders
  throw new Problem(
    'bad-request',
    `Expected 1 to ${MOST_HOLDERS} holders: ids of agents (agent://...) or paths of definitions (/agents/NAME) for publish-one, paths for read-one, and otherwise names of a-z, 0-9, ".", "_" and "-".`,
  )
}

// Backups: exports all cards as lines of JSON, and imports them. An imported card is verified as if its agent had sent
// it.

const MOST_LINES = 500
/** Cards that are sent to shards at a time; each is awaited until it is on disk. */
const AT_ONCE = 32

/** Reasons why a card was not stored, other than another card of its agent. */
const UNWANTED = ['blocked', 'policy', 'quota', 'waiting']

/**
 * `GET /v1/directory/export`: all cards by id, one per line, including revoked ones, as a stream that holds a few at a time.
 * With `limit=N` a page that an import takes as it is: of at most N lines, and of no more bytes than a body may have; `Link`
 * names the next, and `after=ID` begins it.
 */
async function exportCards({ url, env }: Call): Promise<Response> {
  const limit = integer(url.searchParams, 'limit', 1, MOST_LINES)
  const lines = linesAfter(env, url.searchParams.get('after') ?? undefined)
  const headers = apiHeaders({ 'content-type': LINES_TYPE })
  if (limit === undefined) return new Response(await streamOf(textsOf(lines)), { headers })
  const { parts, next } = await pageOf(lines, limit)
  if (next !== undefined) {
    const address = new URL(url)
    address.searchParams.set('after', next)
    headers.set('link', `<${address.href}>; rel="next"`)
  }
  return new Response(parts.join(''), { headers })
}

interface Exported {
  readonly id: string
  readonly text: string
}

/** The lines of all cards, a few at a time: a card may have 65,535 bytes. */
async function* linesAfter(env: Env, start: string | undefined): AsyncGenerator<readonly Exported[], void> {
  for (let after = start; ; ) {
    const cards = await readStored(env, after, AT_ONCE)
    yield cards.map((card) => ({ id: card.id, text: lineOf(card) }))
    if (cards.length < AT_ONCE) return
    after = cards.at(-1)!.id
  }
}

function lineOf({ id, bytes, standing, signer, retrievedAt, expiresAt, equivocations: others }: StoredCard): string {
  const equivocations = others.length === 0 ? undefined : others.map(encodeBase64url)
  const line = { id, card: encodeBase64url(bytes), standing, signer, retrievedAt, expiresAt, equivocations }
  return `${JSON.stringify(line)}\n`
}

/** The first lines that fit, at least one, and the id of the last of them if there are more. */
async function pageOf(lines: AsyncIterable<readonly Exported[]>, limit: number) {
  const parts: string[] = []
  let bytes = 0
  let last: string | undefined
  for await (const some of lines) {
    for (const { id, text } of some) {
      const length = new TextEncoder().encode(text).length
      if (parts.length === limit || (parts.length > 0 && bytes + length > BODY_BYTES)) return { parts, next: last }
      parts.push(text)
      bytes += length
      last = id
    }
  }
  return { parts, next: undefined }
}

async function* textsOf(lines: AsyncIterable<readonly Exported[]>): AsyncGenerator<string> {
  for await (const some of lines) yield some.map(({ text }) => text).join('')
}

/**
 * `POST /v1/directory/import`: imports such lines. A card that was stored because of a token is stored again; every other
 * card has to prove its origin again.
 */
async function importCards({ env, body }: Call): Promise<Response> {
  const text = new TextDecoder().decode(body)
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (lines.length > MOST_LINES) throw new Problem('bad-request', `Expected at most ${MOST_LINES} lines.`)
  const directory = shardedDirectory(env)
  const outcomes: Awaited<ReturnType<typeof importLine>>[] = []
  for (let from = 0; from < lines.length; from += AT_ONCE) {
    const some = lines.slice(from, from + AT_ONCE)
    for (const one of await Promise.all(some.map((line) => importLine(directory, line)))) outcomes.push(one)
  }
  const stored = outcomes.filter((outcome) => outcome.stored).length
  const refused = outcomes.flatMap(({ problem }, i) =>
    problem === undefined ? [] : [{ line: i + 1, reason: problem }],
  )
  const unchanged = lines.length - stored - refused.length
  return json({ lines: lines.length, stored, unchanged, refused })
}

/** `problem` is the reason why the line was refused. */
async function importLine(
  directory: handleInvocation.Target,
  line: string,
): Promise<{ stored: boolean; problem?: string }> {
  const read = readLine(line)
  if (typeof read === 'string') return { stored: false, problem: read }
  const sender = { id: read.id, operator: read.standing === 'token', admitted: true }
  const { status, stored, reason = status, diagnostics } = await directory.advertise(read.card, sender)
  if (status !== 'OK') {
    const error = diagnostics.find(({ severity }) => severity === 'error')
    return { stored, problem: error?.detail ?? status }
  }
  // The last diagnostic says why the card was not stored.
  if (UNWANTED.includes(reason)) return { stored, problem: diagnostics.at(-1)?.detail ?? reason }
  // Together with the stored card, each of these proves again that the agent signed two different cards with one seq.
  for (const other of read.equivocations) await directory.advertise(other, sender)
  return { stored }
}

/** The members of a line; a text tells what is wrong with it. */
function readLine(line: string) {
  const { document, diagnostics } = parseJson(line)
  if (document === undefined) return `the line is not valid JSON: ${diagnostics[0]!.detail}`
  const { id, card, standing, equivocations = [] } = (document.value ?? {}) as Record<string, unknown>
  try {
    if (typeof id !== 'string' || typeof card !== 'string') return 'expected a line with id and card, two strings'
    const isList = Array.isArray(equivocations) && equivocations.every((other) => typeof other === 'string')
    if (!isList || equivocations.length > DEFAULT_LIMITS.equivocations) {
      return `equivocations: expected an array of at most ${DEFAULT_LIMITS.equivocations} strings`
    }
    return { id, card: decodeBase64url(card), standing, equivocations: equivocations.map(decodeBase64url) }
  } catch (error) {
    if (error instanceof KeyError) return `card: ${error.message}`
    throw error
  }
}

// The operator's rules, and the cards that wait for a decision.

const MOST_RULE_CHANGES = 500
const MEMBERS = [...SUBJECTS, 'verdict', 'reason', 'at']

/** `GET /v1/directory/rules?limit=N&from=N`: the operator's rules, by subject. */
async function readRules({ url, env }: Call): Promise<Response> {
  const from = integer(url.searchParams, 'from', 0, 100_000) ?? 0
  const limit = integer(url.searchParams, 'limit', 1, 1000) ?? 1000
  const { rules } = await moderation(env).rules()
  const shown = rules.slice(from, from + limit).map(ruleView)
  return json({ rules: shown, total: rules.length })
}

/**
 * `POST /v1/directory/rules`: `{ "rules": [{ "host": "example.com", "verdict": "block", "reason": "spam" }] }`. Each rule
 * replaces an earlier one about the same id, key or host. Answers when every shard uses the rules.
 */
async function changeRules({ env, body }: Call): Promise<Response> {
  // The answer of GET can be sent back unchanged: its `total` is ignored.
  const { rules, total: _, ...others } = objectIn(body)
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) throw new Problem('bad-request', `Unknown member ${unknown.slice(0, 40)}. Known: rules.`)
  if (!Array.isArray(rules) || rules.length < 1 || rules.length > MOST_RULE_CHANGES) {
    throw new Problem('bad-request', `Expected 1 to ${MOST_RULE_CHANGES} rules.`)
  }
  const at = Date.now()
  const changes = rules.map((rule, i) => readRule(rule, i, at))
  const entered = await decide(env, changes)
  return json({ rules: changes.map(ruleView), entered })
}

/** Reads a rule of the operator. Throws with its place if it is invalid. */
function readRule(value: unknown, i: number, at: number): Rule {
  const refuse = (member: string, expected: string) => {
    return new Problem('bad-request', `rules[${i}]${member}: expected ${expected}.`, {
      members: { pointer: `/rules/${i}${member && `/${member.slice(1)}`}` },
    })
  }
  if (typeof value !== 'object' || value === null) throw refuse('', 'an object')
  const members = value as Readonly<Record<string, unknown>>
  const unknown = Object.keys(members).find((name) => !MEMBERS.includes(name))
  if (unknown !== undefined) throw refuse(`.${unknown.slice(0, 40)}`, `one of the members ${MEMBERS.join(', ')}`)
  const { verdict = 'block', reason = '', at: since } = members
  if (!VERDICTS.includes(verdict as Verdict)) throw refuse('.verdict', `one of ${VERDICTS.join(', ')}`)
  const named = SUBJECTS.filter((of) => Object.hasOwn(members, of))
  if (named.length !== 1) throw refuse('', 'one of id, key and host')
  return {
    ...subjectOf(named[0]!, members[named[0]!], refuse),
    verdict: verdict as Verdict,
    reason: reasonOf(reason, refuse),
    at: since === undefined ? at : timeOf(since, at, refuse),
  }
}

/** The time of a rule that was made earlier, also in another deployment. */
function timeOf(since: unknown, now: number, refuse: Refuse): number {
  const at = typeof since === 'string' && /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(since) ? Date.parse(since) : Number.NaN
  if (at <= now) return at
  throw refuse('.at', 'a past time, as in 2026-03-01T12:00:00Z')
}

const FORMS: Readonly<Record<Subject, string>> = {
  id: 'the id of an agent, agent://...',
  key: 'the fingerprint of a key: 43 characters of base64url',
  host: 'a host or a domain, as in example.com',
}

function subjectOf(of: Subject, text: unknown, refuse: Refuse): Pick<Rule, 'of' | 'value'> {
  const value = typeof text === 'string' ? formOf(of, text) : undefined
  if (value === undefined) throw refuse(`.${of}`, FORMS[of])
  return { of, value }
}

function ruleView({ of, value, verdict, reason, at }: Rule) {
  return { [of]: value, verdict, reason, at: new Date(at).toISOString() }
}

/** Cards in one answer: they have up to 65,535 bytes each. */
const MOST_CARDS = 100
const MOST_IDS = 100

/** `GET /v1/directory/queue?after=ID&limit=N`: the waiting cards, by id. A rule that allows an id accepts its card. */
async function readQueue({ url, env }: Call): Promise<Response> {
  const limit = integer(url.searchParams, 'limit', 1, MOST_CARDS) ?? MOST_CARDS
  const { cards, size } = await moderation(env).waiting(url.searchParams.get('after') ?? '', limit)
  const waiting = cards.map((card) => {
    const { id, signer, came, bytes } = card
    const { name, description } = cardIn(card)
    return { id, name, description, key: signer, came: new Date(came).toISOString(), card: encodeBase64url(bytes) }
  })
  return json({ waiting, total: size })
}

/** `DELETE /v1/directory/queue?id=ID`: deletes waiting cards. Their agents may send them again. */
async function dropWaiting({ url, env }: Call): Promise<Response> {
  const ids = url.searchParams.getAll('id')
  if (ids.length < 1 || ids.length > MOST_IDS) throw badParameter('id', `Name 1 to ${MOST_IDS} agents: id=agent://...`)
  return json({ dropped: await moderation(env).drop(ids) })
}
