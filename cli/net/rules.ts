// Requests to a directory for its operator.

import { membersOf } from '../../bindings/document/parse.ts'
import { visible } from '../../bindings/text/hidden.ts'
import { isObject, type JsonObject, member } from '../../bindings/text/members.ts'
import type { Tools } from '../command.ts'
import type { Host } from '../host.ts'
import { answer, type Outcome, type Result } from '../outcome.ts'
import type { Arguments } from '../run.ts'
import { UsageError } from '../usage.ts'
import { askPatiently, noAnswer } from './server.ts'

/** Rules that a server accepts in one request. */
const MOST_RULES = 500

export interface OperatorServer {
  readonly host: Host
  readonly origin: string
  readonly token: string
}

/** Recognizes the subject of a rule: an id (`agent://...`), a fingerprint of 43 characters, or else a host. */
function subjectOf(text: string): { readonly [of: string]: string } {
  if (text.startsWith('agent://')) return { id: text }
  return /^[\w-]{43}$/.test(text) ? { key: text } : { host: text }
}

/** Sends an operator's request. Returns the members of the answer, or the result for a failure. */
export async function operate(
  { host, origin, token }: OperatorServer,
  path: string,
  init: RequestInit = {},
): Promise<{ readonly members: JsonObject } | { readonly problem: Result }> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answered = await askPatiently(host, `${origin}${path}`, { headers, ...init })
  if ('problem' in answered || answered.status !== 200) return { problem: noAnswer(origin, answered) }
  return { members: membersOf(answered.bytes) }
}

interface Ruling {
  readonly verdict: 'block' | 'hide' | 'allow' | 'none'
  readonly reason?: string
}

/** Refuses a command without subjects, with a hint. */
export function expectSubjects({ name, positionals }: Pick<Arguments, 'name' | 'positionals'>, hint: string): void {
  if (positionals.length > 0) return
  throw new UsageError('missing-argument', `${name}: expected an ID, KEY or HOST`, hint)
}

/** Makes a rule about each subject of a command, and prints the ids of waiting agents that the rules let in. */
export async function ruleOn(
  { positionals: subjects, print }: Pick<Arguments & Tools, 'positionals' | 'print'>,
  server: OperatorServer,
  ruling: Ruling,
  note: (entered: number) => string,
): Promise<Outcome> {
  const made = await makeRules(server, subjects, ruling)
  if ('problem' in made) return { results: [made.problem] }
  const { entered } = made
  for (const id of entered) print(`${visible(id)}\tlet in\n`)
  return { results: [answer({ rules: { verdict: ruling.verdict, subjects, entered } })], notes: [note(entered.length)] }
}

/** Rules in one page. */
const PAGE = 1000
/** A server has at most 10,000 rules. */
const MOST_PAGES = 100

/** Reads all rules of a server, or returns the result for a failure. */
export async function readRules(
  server: OperatorServer,
): Promise<{ readonly rules: readonly JsonObject[] } | { readonly problem: Result }> {
  const rules: JsonObject[] = []
  for (let page = 0; page < MOST_PAGES; page++) {
    const answered = await operate(server, `/v1/directory/rules?from=${page * PAGE}&limit=${PAGE}`)
    if ('problem' in answered) return answered
    const some = objectsIn(answered.members, 'rules')
    for (const one of some) rules.push(one)
    if (some.length < PAGE) break
  }
  return { rules }
}

/** Makes one rule for each subject. Returns the ids of waiting agents that they let in, or the result for a failure. */
async function makeRules(
  server: OperatorServer,
  subjects: readonly string[],
  ruling: Ruling,
): Promise<{ readonly entered: readonly string[] } | { readonly problem: Result }> {
  const entered: string[] = []
  for (let from = 0; from < subjects.length; from += MOST_RULES) {
    const rules = subjects.slice(from, from + MOST_RULES).map((text) => ({ ...subjectOf(text), ...ruling }))
    const body = JSON.stringify({ rules })
    const answered = await operate(server, '/v1/directory/rules', { method: 'POST', body })
    if ('problem' in answered) return answered
    for (const one of textsIn(answered.members, 'entered')) entered.push(one)
  }
  return { entered }
}

/** The strings of a list in an answer. */
function textsIn(members: JsonObject, name: string): string[] {
  const list = member(members, name)
  return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : []
}

/** The objects of a list in an answer. */
export function objectsIn(members: JsonObject, name: string): JsonObject[] {
  const list = member(members, name)
  return Array.isArray(list) ? list.filter(isObject) : []
}
