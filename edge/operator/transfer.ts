// Backups: exports all cards as lines of JSON, and imports them. An imported card is verified as if its agent had sent
// it.
import { DEFAULT_LIMITS, type Invocable } from 'blazon/directory'
import { parseJson } from 'blazon/document'
import { decodeBase64url, encodeBase64url, KeyError } from 'blazon/keys'
import { readStored, shardedDirectory } from '../directory/service.ts'
import { LINES_TYPE } from '../http/body.ts'
import { apiHeaders } from '../http/headers.ts'
import { Problem } from '../http/problem.ts'
import { integer, refuseOtherParameters } from '../http/query.ts'
import type { Call } from '../http/route.ts'

const MOST_LINES = 500
/** Cards in flight to shards at a time: each is awaited until it is on disk. */
const AT_ONCE = 32

interface Outcome {
  readonly stored: boolean
  /** The reason why the line was refused. */
  readonly problem?: string
}

/**
 * `GET /v1/directory/export?after=ID&limit=N`: cards by id, one per line, including revoked ones. `Link` names the next
 * page.
 */
export async function exportCards({ url, env }: Call): Promise<Response> {
  refuseOtherParameters(url.searchParams, { after: 'once', limit: 'once' })
  const limit = integer(url.searchParams, 'limit', 1, MOST_LINES) ?? 100
  const after = url.searchParams.get('after') ?? undefined
  const cards = await readStored(env, after, limit)
  const lines = cards.map(({ id, bytes, standing, signer, retrievedAt, expiresAt, equivocations: others }) => {
    const equivocations = others.length === 0 ? undefined : others.map(encodeBase64url)
    return JSON.stringify({ id, card: encodeBase64url(bytes), standing, signer, retrievedAt, expiresAt, equivocations })
  })
  const headers = apiHeaders({ 'content-type': LINES_TYPE })
  if (cards.length === limit) {
    const next = new URL(url)
    next.searchParams.set('after', cards.at(-1)!.id)
    headers.set('link', `<${next.href}>; rel="next"`)
  }
  return new Response(lines.map((line) => `${line}\n`).join(''), { headers })
}

/**
 * `POST /v1/directory/import`: imports such lines. A card that was stored on the strength of a token alone is so again;
 * every other one has to prove its origin again.
 */
export async function importCards({ url, env, body }: Call): Promise<Response> {
  refuseOtherParameters(url.searchParams, {})
  const text = new TextDecoder().decode(body)
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  if (lines.length > MOST_LINES) throw new Problem('bad-request', `At most ${MOST_LINES} lines at once.`)
  const directory = shardedDirectory(env)
  const outcomes: Outcome[] = []
  for (let from = 0; from < lines.length; from += AT_ONCE) {
    const some = lines.slice(from, from + AT_ONCE)
    outcomes.push(...(await Promise.all(some.map((line) => importLine(directory, line)))))
  }
  const stored = outcomes.filter((outcome) => outcome.stored).length
  const refused = outcomes.flatMap(({ problem }, i) =>
    problem === undefined ? [] : [{ line: i + 1, reason: problem }],
  )
  const unchanged = lines.length - stored - refused.length
  return Response.json({ lines: lines.length, stored, unchanged, refused }, { headers: apiHeaders({}) })
}

async function importLine(directory: Invocable, line: string): Promise<Outcome> {
  const read = readLine(line)
  if (typeof read === 'string') return { stored: false, problem: read }
  const sender = { id: read.id, operator: read.standing === 'token', admitted: true }
  const { status, stored, diagnostics } = await directory.advertise(read.card, sender)
  if (status !== 'OK') {
    const error = diagnostics.find(({ severity }) => severity === 'error')
    return { stored, problem: error?.detail ?? status }
  }
  // Beside the stored card, each of these proves again that the agent made two contradictory statements.
  for (const other of read.equivocations) await directory.advertise(other, sender)
  return { stored }
}

interface Line {
  readonly id: string
  readonly card: Uint8Array
  readonly standing: unknown
  readonly equivocations: readonly Uint8Array[]
}

function readLine(line: string): Line | string {
  const { document, diagnostics } = parseJson(line)
  if (document === undefined) return `the line is no JSON: ${diagnostics[0]!.detail}`
  const { id, card, standing, equivocations = [] } = (document.value ?? {}) as Record<string, unknown>
  try {
    if (typeof id !== 'string' || typeof card !== 'string') return 'a line has id and card, two strings'
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
