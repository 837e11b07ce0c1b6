// Requests to servers that the user names: Workers of Blazon and other directories. Their answers are untrusted and
// limited in size.

import type { mayPublish } from '../bindings/adl/publication.ts'
import { diagnose, diagnoseNowhere } from '../bindings/document/diagnose.ts'
import type { FindingKind } from '../bindings/document/finding.ts'
import { type Document, membersOf } from '../bindings/document/parse.ts'
import { reason } from '../bindings/net/failure.ts'
import { isLoopback } from '../bindings/net/guard.ts'
import { visible } from '../bindings/text/hidden.ts'
import { isObject, type JsonObject, member } from '../bindings/text/members.ts'
import {
  answer,
  type Context,
  type Option,
  type Outcome,
  type Result,
  type Tools,
  Unreadable,
  UsageError,
} from './command.ts'
import { FETCH_DIRECTORY, PUBLISH_REFUSED } from './findings.ts'
import type { Host } from './host.ts'
import type { Arguments } from './run.ts'

/** Larger than a page of a backup; discovery answers have at most 65,535 bytes. */
const MOST_BYTES = 64 << 20
const PATIENCE_MS = 30_000
/** The most requests to a busy server. */
const MOST_TRIES = 6
const LONGEST_WAIT_MS = 120_000

/** A whole answer, or the reason why there is no answer. */
export type Answer =
  | { readonly status: number; readonly headers: Headers; readonly bytes: Uint8Array }
  | { readonly problem: string }

/** Reads the URL of a server. Tokens and queries must stay private: they go over https, or stay on this machine. */
export function readServer(option: string, text: string, { mayHavePath = false } = {}): URL {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    const message = `--${option}: expected a URL, got "${text}"`
    throw new UsageError('invalid-value', message, `as in --${option} https://agents.example.com`)
  }
  if ((url.pathname !== '/' && !mayHavePath) || url.search !== '' || url.hash !== '') {
    const message = `--${option}: expected a server without a path, got "${text}"`
    throw new UsageError('invalid-value', message, `as in --${option} ${url.origin}`)
  }
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))) return url
  throw new UsageError(
    'invalid-value',
    `--${option}: expected https, got "${text}"`,
    'http is only allowed for this machine: others could read the request in transit',
  )
}

/** Sends a request. Redirects are not followed: the request is for this server alone. */
export async function ask(host: Host, url: string, init: RequestInit): Promise<Answer> {
  try {
    const response = await host.send(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(PATIENCE_MS) })
    const { status, headers } = response
    const chunks: Uint8Array[] = []
    let length = 0
    for await (const chunk of response.body ?? []) {
      length += chunk.length
      if (length > MOST_BYTES) return { problem: `${url} answers more than ${MOST_BYTES} bytes` }
      chunks.push(chunk)
    }
    return { status, headers, bytes: Buffer.concat(chunks, length) }
  } catch (error) {
    const { origin } = new URL(url)
    return { problem: `${origin} cannot be reached: ${reason(error)}` }
  }
}

/** Sends a request, and repeats it after the requested delay while the server is busy. */
export async function askPatiently(host: Host, url: string, init: RequestInit): Promise<Answer> {
  for (let tried = 1; ; tried++) {
    const answer = await ask(host, url, init)
    const isBusy = 'status' in answer && (answer.status === 429 || answer.status === 503)
    if (!isBusy || tried === MOST_TRIES) return answer
    const named = Number(answer.headers.get('retry-after') ?? Number.NaN)
    const wait = Number.isFinite(named) && named >= 0 ? named * 1000 : 500 * 2 ** tried
    // Longer waits are left to the user.
    if (wait > LONGEST_WAIT_MS) return answer
    await host.wait(wait)
  }
}

// Results for unexpected answers of servers.

/** The failure of a server without a usable answer. */
export function noAnswer(origin: string, answer: Answer): Unreadable {
  const detail =
    'problem' in answer ? answer.problem : `${origin} answers ${answer.status}${wordsOf(membersOf(answer.bytes))}`
  return new Unreadable({ file: null, diagnostics: [diagnoseNowhere(FETCH_DIRECTORY, { detail }, origin)] })
}

/** Quotes an error, after a colon: the first finding of a directory, or the detail of a problem (RFC 9457). */
export function wordsOf(members: JsonObject): string {
  const diagnostics = member(members, 'diagnostics')
  const first: unknown = Array.isArray(diagnostics) ? diagnostics[0] : undefined
  const words = (isObject(first) && member(first, 'detail')) || member(members, 'detail')
  return typeof words === 'string' ? `: ${words}` : ''
}

// Requests to a directory for its operator.

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

/** Sends an operator's request. Returns the members of the answer. */
export async function operate(
  { host, origin, token }: OperatorServer,
  path: string,
  init: RequestInit = {},
): Promise<JsonObject> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answered = await askPatiently(host, `${origin}${path}`, { headers, ...init })
  if ('problem' in answered || answered.status !== 200) throw noAnswer(origin, answered)
  return membersOf(answered.bytes)
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
  const entered: string[] = []
  for (let from = 0; from < subjects.length; from += MOST_RULES) {
    const rules = subjects.slice(from, from + MOST_RULES).map((text) => ({ ...subjectOf(text), ...ruling }))
    const made = await operate(server, '/v1/directory/rules', { method: 'POST', body: JSON.stringify({ rules }) })
    for (const one of listTexts(made, 'entered')) entered.push(one)
  }
  for (const id of entered) print(`${visible(id)}\tlet in\n`)
  return { results: [answer({ rules: { verdict: ruling.verdict, subjects, entered } })], notes: [note(entered.length)] }
}

/** Rules in one page. */
const PAGE = 1000

/** The objects in a list that a server answers in pages. The last page is not full. */
export async function pagesOf(
  server: OperatorServer,
  name: string,
  { size, most = 100 }: { readonly size: number; readonly most?: number },
  pathOf: (page: number, last: JsonObject | undefined) => string,
): Promise<readonly JsonObject[]> {
  const all: JsonObject[] = []
  for (let page = 0; page < most; page++) {
    const some = objectsIn(await operate(server, pathOf(page, all.at(-1))), name)
    for (const one of some) all.push(one)
    if (some.length < size) break
  }
  return all
}

/** All rules of a server, which has at most 10,000. */
export const readRules = (server: OperatorServer) =>
  pagesOf(server, 'rules', { size: PAGE }, (page) => `/v1/directory/rules?from=${page * PAGE}&limit=${PAGE}`)

function listTexts(members: JsonObject, name: string): string[] {
  const list = member(members, name)
  return Array.isArray(list) ? list.filter((item) => typeof item === 'string') : []
}

export function objectsIn(members: JsonObject, name: string): JsonObject[] {
  const list = member(members, name)
  return Array.isArray(list) ? list.filter(isObject) : []
}

export interface PublishResult extends Result {
  /** The URL of a published definition. */
  readonly url?: unknown
  /** The directory's answer for a card. */
  readonly advertised?: { readonly id: string; readonly stored: boolean; readonly reason: string }
}

/** The destination of documents, with its credentials. */
export interface Target {
  readonly origin: string
  readonly token: string | undefined
  readonly confirmed: mayPublish.Options
  /** True when a definition may replace other content of its version. */
  readonly mayReplace: boolean
  /** True when the operator vouches for cards that cannot be verified. */
  readonly vouched: boolean
}

interface Confirmations {
  readonly reviewed: boolean
  readonly acknowledge: readonly string[]
  readonly vouch: boolean
  readonly replace: boolean
}

export function readTarget(server: string | undefined, options: Confirmations, { env }: Host): Target {
  const { origin } = neededServer('publish', server)
  const token = env['BLAZON_TOKEN'] || undefined
  const { vouch: vouched, reviewed, acknowledge: acknowledged, replace: mayReplace } = options
  if (vouched && token === undefined) throw missingToken('publish --vouch')
  return { origin, token, confirmed: { reviewed, acknowledged }, mayReplace, vouched }
}

/** The option `server`, the same in every command; docs/reference/cli.md lists its other names. */
export const SERVER = {
  value: 'URL',
  aliases: ['to', 'from', 'at', 'directory'],
  about: 'the server; https, or http on this machine',
} as const satisfies Option

export function neededServer(command: string, text: string | undefined): URL {
  if (text !== undefined) return readServer('server', text)
  const message = `${command} needs --server URL`
  throw new UsageError('missing-option', message, 'as in --server https://agents.example.com')
}

export function missingToken(what: string): UsageError {
  const message = `${what} needs the token of the server in BLAZON_TOKEN`
  return new UsageError(
    'missing-token',
    message,
    'the operator of the server can make one with blazon token create; npm start prints one for its server',
  )
}

export function neededToken(command: string, { env }: Host): string {
  const token = env['BLAZON_TOKEN']
  if (token) return token
  throw missingToken(command)
}

/** The server of an operator's command, with its token. */
export function operatorOf({ name, options, host }: Context<{ readonly server: typeof SERVER }>): OperatorServer {
  const token = neededToken(name, host)
  return { host, token, origin: neededServer(name, options.server).origin }
}

export interface Refusal {
  readonly detail: string
  readonly hint?: string | undefined
  /** The finding to report; by default a refusal by the server. */
  readonly as?: FindingKind
}

export function refused(
  document: Document,
  file: string,
  kind: string,
  { detail, hint, as = PUBLISH_REFUSED }: Refusal,
): Result {
  const { offset, endOffset } = document.source('')
  const place = {
    pointer: '',
    offset,
    endOffset: Math.min(endOffset, offset + 1),
    detail,
    fix: hint === undefined ? undefined : { hint },
  }
  const valid = as.severity !== 'error'
  return { file, kind, valid, diagnostics: [diagnose(document.lines, as, place, document.file)] }
}

// The secret of a server, which all its tokens are derived from.

export function neededSecret(command: string, { env }: Host): string {
  const secret = env['TOKEN_SECRET']
  if (secret && /^[\x21-\x7e]+$/.test(secret)) return secret
  const message = secret
    ? 'TOKEN_SECRET: expected ASCII characters without spaces'
    : `${command} needs the secret of the server in TOKEN_SECRET`
  throw new UsageError('missing-secret', message, 'use the same value as the server: docs/guide/edge.md, "Tokens"')
}

export function needHolders(command: string, holders: readonly string[]): void {
  if (holders.length > 0) return
  throw new UsageError('missing-argument', `${command} needs a HOLDER`, 'name who uses the token, such as ci')
}
