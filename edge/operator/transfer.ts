// Backups: exports all cards as lines of JSON, and imports them. An imported card is verified as if its agent had sent
// it.
import { DEFAULT_LIMITS, type Invocable, type StoredCard } from 'blazon/directory'
import { parseJson } from 'blazon/document'
import { decodeBase64url, encodeBase64url, KeyError } from 'blazon/keys'
import type { Call } from '../access/route.ts'
import { readStored, shardedDirectory } from '../directory/service.ts'
import type { Env } from '../env.ts'
import { apiHeaders, json } from '../http/answer.ts'
import { BODY_BYTES, LINES_TYPE } from '../http/body.ts'
import { Problem } from '../http/problem.ts'
import { integer } from '../http/query.ts'
import { streamOf } from '../http/stream.ts'

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
export async function exportCards({ url, env }: Call): Promise<Response> {
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
export async function importCards({ env, body }: Call): Promise<Response> {
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
async function importLine(directory: Invocable, line: string): Promise<{ stored: boolean; problem?: string }> {
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
