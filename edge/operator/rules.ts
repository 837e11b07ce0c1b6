import type { Call } from '../access/route.ts'
import { type Rule, SUBJECTS, type Subject, VERDICTS, type Verdict } from '../contracts/moderation.ts'
import { moderation } from '../env.ts'
import { objectIn } from '../http/body.ts'
import { apiHeaders } from '../http/headers.ts'
import { Problem } from '../http/problem.ts'
import { integer, refuseOtherParameters } from '../http/query.ts'
import { decide } from '../moderation/decide.ts'
import { formOf } from '../moderation/subjects.ts'

const MOST_CHANGES = 500
const LONGEST_REASON = 500
const MEMBERS = [...SUBJECTS, 'verdict', 'reason', 'at']

/** `GET /v1/directory/rules?limit=N&from=N`: the operator's rules, by subject. */
export async function readRules({ url, env }: Call): Promise<Response> {
  refuseOtherParameters(url.searchParams, { from: 'once', limit: 'once' })
  const from = integer(url.searchParams, 'from', 0, 100_000) ?? 0
  const limit = integer(url.searchParams, 'limit', 1, 1000) ?? 1000
  const { rules } = await moderation(env).rules()
  const shown = rules.slice(from, from + limit).map(shownRule)
  return Response.json({ rules: shown, total: rules.length }, { headers: apiHeaders({}) })
}

/**
 * `POST /v1/directory/rules`: `{ "rules": [{ "host": "example.com", "verdict": "block", "reason": "spam" }] }`. Each rule
 * replaces an earlier one about the same id, key or host. Answers when every shard uses the rules.
 */
export async function changeRules({ url, env, body }: Call): Promise<Response> {
  refuseOtherParameters(url.searchParams, {})
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
  return Response.json({ rules: changes.map(shownRule), entered }, { headers: apiHeaders({}) })
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

type Refuse = (member: string, expected: string) => Problem

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

/** Reasons are shown to anyone who asks for a card that was taken down. */
export function reasonOf(reason: unknown, refuse: Refuse): string {
  if (typeof reason === 'string' && reason.length <= LONGEST_REASON) return reason
  throw refuse('.reason', `a text of at most ${LONGEST_REASON} characters`)
}

function shownRule({ of, value, verdict, reason, at }: Rule) {
  return { [of]: value, verdict, reason, at: new Date(at).toISOString() }
}
