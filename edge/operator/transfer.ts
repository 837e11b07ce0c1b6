// Backups: all cards as lines of JSON, and back in. What comes in is verified as if its agent had sent it.
import { type Invocable, MOST_EQUIVOCATIONS } from 'blazon/directory'
import { parse } from 'blazon/document'
import { decodeBase64url, encodeBase64url, KeyError } from 'blazon/keys'
import { readStored, shardedDirectory } from '../directory/service.ts'
import type { Env } from '../env.ts'
import { readDocument } from '../http/body.ts'
import { apiHeaders } from '../http/headers.ts'
import { requireOperator } from '../http/operator.ts'
import { Problem } from '../http/problem.ts'
import { integer, refuseOtherParameters } from '../http/query.ts'

const LINES = 'application/x-ndjson'
const MOST_LINES = 500
/** Cards that are on their way to shards at once: each is waited for until it is on disk. */
const AT_ONCE = 32

interface Outcome {
  readonly stored: boolean
  /** Why the line was refused. */
  readonly problem?: string
}

/** `GET /v1/directory/export?after=ID&limit=N`: cards by id, one a line, revoked ones too. `Link` names the next page. */
export async function exportCards(request: Request, url: URL, env: Env): Promise<Response> {
  await requireOperator(request, env)
  refuseOtherParameters(url.searchParams, { after: 'once', limit: 'once' })
  const limit = integer(url.searchParams, 'limit', 1, MOST_LINES) ?? 100
  const after = url.searchParams.get('after') ?? undefined
  const cards = await readStored(env, after, limit)
  const lines = cards.map(({ id, bytes, standing, signer, retrievedAt, expiresAt, equivocations: others }) => {
    const equivocations = others.length === 0 ? undefined : others.map(encodeBase64url)
    return JSON.stringify({ id, card: encodeBase64url(bytes), standing, signer, retrievedAt, expiresAt, equivocations })
  })
  const headers = apiHeaders({ 'content-type': LINES })
  if (cards.length === limit) {
    const next = new URL(url)
    next.searchParams.set('after', cards.at(-1)!.id)
    headers.set('link', `<${next.href}>; rel="next"`)
  }
  return new Response(lines.map((line) => `${line}\n`).join(''), { headers })
}

/**
 * `POST /v1/directory/import`: such lines. A card that was stored by a token alone is so again; each other one has to show
 * anew whose it is.
 */
export async function importCards(request: Request, url: URL, env: Env): Promise<Response> {
  await requireOperator(request, env)
  refuseOtherParameters(url.searchParams, {})
  const text = new TextDecoder().decode(await readDocument(request))
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
  const sender = { id: read.id, operator: read.standing === 'token' }
  const { status, stored, diagnostics } = await directory.advertise(read.card, sender)
  if (status !== 'OK') {
    const error = diagnostics.find(({ severity }) => severity === 'error')
    return { stored, problem: error?.detail ?? status }
  }
  // Beside the card that is there now each shows, as it did when it came, that the agent said two things at once.
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
  const { document, diagnostics } = parse(line)
  if (document === undefined) return `the line is no JSON: ${diagnostics[0]!.detail}`
  const { id, card, standing, equivocations = [] } = (document.value ?? {}) as Record<string, unknown>
  try {
    if (typeof id !== 'string' || typeof card !== 'string') return 'a line has id and card, two strings'
    const isList = Array.isArray(equivocations) && equivocations.every((other) => typeof other === 'string')
    if (!isList || equivocations.length > MOST_EQUIVOCATIONS) {
      return `equivocations: expected an array of at most ${MOST_EQUIVOCATIONS} strings`
    }
    return { id, card: decodeBase64url(card), standing, equivocations: equivocations.map(decodeBase64url) }
  } catch (error) {
    if (error instanceof KeyError) return `card: ${error.message}`
    throw error
  }
}
