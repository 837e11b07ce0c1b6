// The operator's rules, and the cards that wait for a decision.
import { encodeBase64url } from 'blazon/keys'
import type { Call } from '../access/route.ts'
import { type Rule, SUBJECTS, type Subject, VERDICTS, type Verdict } from '../contracts/directory.ts'
import { moderation } from '../env.ts'
import { json } from '../http/answer.ts'
import { objectIn } from '../http/body.ts'
import { Problem } from '../http/problem.ts'
import { badParameter, integer } from '../http/query.ts'
import { decide, type Refuse, reasonOf } from '../moderation/rules.ts'
import { cardIn, formOf } from '../moderation/subjects.ts'

const MOST_CHANGES = 500
const MEMBERS = [...SUBJECTS, 'verdict', 'reason', 'at']

/** `GET /v1/directory/rules?limit=N&from=N`: the operator's rules, by subject. */
export async function readRules({ url, env }: Call): Promise<Response> {
  const from = integer(url.searchParams, 'from', 0, 100_000) ?? 0
  const limit = integer(url.searchParams, 'limit', 1, 1000) ?? 1000
  const { rules } = await moderation(env).rules()
  const shown = rules.slice(from, from + limit).map(shownRule)
  return json({ rules: shown, total: rules.length })
}

/**
 * `POST /v1/directory/rules`: `{ "rules": [{ "host": "example.com", "verdict": "block", "reason": "spam" }] }`. Each rule
 * replaces an earlier one about the same id, key or host. Answers when every shard uses the rules.
 */
export async function changeRules({ env, body }: Call): Promise<Response> {
  // The answer of GET can be sent back unchanged: its `total` is ignored.
  const { rules, total: _, ...others } = objectIn(body)
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) throw new Problem('bad-request', `Unknown member ${unknown.slice(0, 40)}. Known: rules.`)
  if (!Array.isArray(rules) || rules.length < 1 || rules.length > MOST_CHANGES) {
    throw new Problem('bad-request', `Expected 1 to ${MOST_CHANGES} rules.`)
  }
  const at = Date.now()
  const changes = rules.map((rule, i) => readRule(rule, i, at))
  const entered = await decide(env, changes)
  return json({ rules: changes.map(shownRule), entered })
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

function shownRule({ of, value, verdict, reason, at }: Rule) {
  return { [of]: value, verdict, reason, at: new Date(at).toISOString() }
}

/** Cards in one answer: they have up to 65,535 bytes each. */
const MOST_CARDS = 100
const MOST_IDS = 100

/** `GET /v1/directory/queue?after=ID&limit=N`: the waiting cards, by id. A rule that allows an id accepts its card. */
export async function readQueue({ url, env }: Call): Promise<Response> {
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
export async function dropWaiting({ url, env }: Call): Promise<Response> {
  const ids = url.searchParams.getAll('id')
  if (ids.length < 1 || ids.length > MOST_IDS) throw badParameter('id', `Name 1 to ${MOST_IDS} agents: id=agent://...`)
  return json({ dropped: await moderation(env).drop(ids) })
}
