import type { FindingKind } from '../document/finding.ts'
import { type Document, parse } from '../document/parse.ts'
import type { Diagnostic } from '../document/types.ts'
import { ruleDiagnostic } from '../frame/subject.ts'
import { isObject, isText, member } from '../text/members.ts'
import { quoted, shown } from '../text/words.ts'
import { answerJson } from './answer.ts'
import {
  DIRECTORY_DESCRIBE,
  DIRECTORY_METHOD,
  DIRECTORY_NOT_PERMITTED,
  DIRECTORY_TOO_MANY,
  DIRECTORY_UNKNOWN_AGENT,
} from './findings.ts'
import type { DescribeOptions, DescribeResult, Invocable, SearchQuery, SearchResponse, Status } from './types.ts'

/** An AITP request and its response (section 4). */
export interface Invocation {
  /** `adp.describe`, `adp.advertise` or `adp.discover`. */
  readonly method: string
  /** The agent:// URI that the transport authenticated, if any. */
  readonly source?: string
  /** JSON. Empty is the same as absent. */
  readonly body?: Uint8Array | string
  /** The same as in `Sender`. */
  readonly operator?: boolean
  readonly address?: string
}

export interface InvocationAnswer {
  readonly status: Status
  /** AITP's status number, where the draft defines one. */
  readonly statusCode: number | undefined
  readonly body: Readonly<Record<string, unknown>>
  /** The body as JSON. A whole card is unchanged, byte for byte. */
  readonly bytes: Uint8Array
  /** The operator has taken the card down. */
  readonly gone?: true
  /** The body is a partial card without a signature. `adp.describe` without `fields` returns the whole card. */
  readonly partial?: true
  /** The signature of the whole card, if the card is partial only because of `fields`. */
  readonly signature?: string
  /** Seconds until a BUSY sender may try again, if known. */
  readonly retryAfter?: number
}

const BUSY_MINUTE = 'more cards of one sender than the directory takes in a minute'
const BUSY_DAY = 'more new agents of one sender than the directory takes in a day'

/** OK is 0 wherever statuses are numbered. The draft defines two more numbers, and none for the other statuses. */
const CODES: Readonly<Partial<Record<Status, number>>> = { OK: 0, UNAUTHORIZED: 5, INVALID_REQUEST: 6 }

const encoder = new TextEncoder()

/**
 * Handles an AITP request (section 4). The response does not depend on the transport. The body of an error has `status`
 * and `diagnostics`.
 *
 * @example
 * await handleInvocation(directory, { method: 'adp.discover', body: '{"tags": ["nlp"]}' })
 * // { status: 'OK', statusCode: 0, body: { results: [...] }, bytes }
 *
 * @throws {TypeError} when the body is neither bytes nor text.
 */
export async function handleInvocation(directory: Invocable, invocation: Invocation): Promise<InvocationAnswer> {
  const { method, source, body = '' } = invocation
  if (method === 'adp.advertise') return advertise(directory, invocation)
  if (method !== 'adp.describe' && method !== 'adp.discover') {
    return refusal('INVALID_REQUEST', [nowhere(DIRECTORY_METHOD, `there is no method ${quoted(String(method))}`)])
  }
  const { document, diagnostics } = parse(body.length === 0 ? '{}' : body)
  if (document === undefined) return refusal('INVALID_REQUEST', diagnostics)
  return method === 'adp.describe' ? describe(directory, document, source) : discover(directory, document, source)
}

async function advertise(
  directory: Invocable,
  { source, body = '', operator, address }: Invocation,
): Promise<InvocationAnswer> {
  const sender = {
    ...(source !== undefined && { id: source }),
    ...(operator !== undefined && { operator }),
    ...(address !== undefined && { address }),
  }
  const { status, stored, reason, retryAfter, diagnostics } = await directory.advertise(body, sender)
  if (status === 'OK') return answer(status, { stored, reason, diagnostics })
  // A front that counts senders before it parses cards has no diagnostics of its own.
  if (status === 'BUSY' && diagnostics.length === 0) {
    const busy = refusal(status, [nowhere(DIRECTORY_TOO_MANY, retryAfter === undefined ? BUSY_MINUTE : BUSY_DAY)])
    return retryAfter === undefined ? busy : { ...busy, retryAfter }
  }
  return refusal(status, diagnostics)
}

async function describe(
  directory: Invocable,
  document: Document,
  caller: string | undefined,
): Promise<InvocationAnswer> {
  const { value } = document
  const refuse = (pointer: string, expected: string, found: unknown) =>
    refusal('INVALID_REQUEST', [
      ruleDiagnostic(document, DIRECTORY_DESCRIBE, 'error', pointer, `expected ${expected}, found ${shown(found)}`),
    ])
  if (!isObject(value)) return refuse('', 'an object', value)
  const id = member(value, 'id')
  const fields = member(value, 'fields')
  if (id !== undefined && typeof id !== 'string') return refuse('/id', 'a string', id)
  if (fields !== undefined && !(Array.isArray(fields) && fields.every(isText))) {
    return refuse('/fields', 'an array of strings', fields)
  }
  const options: DescribeOptions = {
    ...(fields !== undefined && { fields }),
    ...(caller !== undefined && { caller }),
  }
  const described = await directory.describe(id, options)
  if (described.status === 'OK') return cardAnswer(described)
  const [rule, detail] =
    described.status === 'UNAUTHORIZED'
      ? [DIRECTORY_NOT_PERMITTED, `the card of ${quoted(id!)} is not for this caller`]
      : [DIRECTORY_UNKNOWN_AGENT, described.gone ?? `there is no card of ${quoted(id!)}`]
  const refused = refusal(described.status, [ruleDiagnostic(document, rule, 'error', '/id', detail)])
  return described.gone === undefined ? refused : { ...refused, gone: true }
}

function cardAnswer({ agent_card: card, bytes, partial, signature }: DescribeResult): InvocationAnswer {
  const marks = { ...(partial && { partial }), ...(signature !== undefined && { signature }) }
  return { status: 'OK', statusCode: CODES.OK, body: card!, bytes: bytes!, ...marks }
}

async function discover(
  directory: Invocable,
  document: Document,
  caller: string | undefined,
): Promise<InvocationAnswer> {
  const explain = isObject(document.value) && member(document.value, 'explain') === true
  const found = await directory.discover(document.value as SearchQuery, {
    document,
    explain,
    ...(caller !== undefined && { caller }),
  })
  return discoverAnswer(found, directory.limits)
}

/**
 * Builds the response to `adp.discover` from the results of one directory or of all shards, cut to the size of a
 * message.
 *
 * @example
 * discoverAnswer(mergeAnswers(parts, { limit }), { answerBytes: 65_535 }) // { status: 'OK', statusCode: 0, body: { results: [...] }, bytes }
 */
export function discoverAnswer(found: SearchResponse, { answerBytes }: Invocable['limits']): InvocationAnswer {
  if (found.status !== 'OK') return refusal(found.status, found.diagnostics)
  const json = answerJson(found, answerBytes)
  return {
    status: 'OK',
    statusCode: CODES.OK,
    // Most transports need only the bytes.
    get body() {
      return JSON.parse(json)
    },
    bytes: encoder.encode(json),
  }
}

function refusal(status: Status, diagnostics: readonly Diagnostic[]): InvocationAnswer {
  return answer(status, { status, diagnostics })
}

function answer(status: Status, body: InvocationAnswer['body']): InvocationAnswer {
  return { status, statusCode: CODES[status], body, bytes: encoder.encode(JSON.stringify(body)) }
}

/** A finding that has no position in the body. */
function nowhere(rule: FindingKind, detail: string): Diagnostic {
  return ruleDiagnostic(parse('{}').document!, rule, rule.severity, '', detail)
}
