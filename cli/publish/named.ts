import { isAgentName, mayPublish } from '../../bindings/adl/publication.ts'
import { SIGNATURE } from '../../bindings/adl/signature/signed.ts'
import { keyOfName, readAgentUri } from '../../bindings/card/agent-uri.ts'
import { validate, verify } from '../../bindings/card/verbs.ts'
import { DIRECTORY_NOT_ADMITTED } from '../../bindings/directory/findings.ts'
import { type Document, membersOf } from '../../bindings/document/parse.ts'
import { rowOf } from '../../bindings/kinds.ts'
import { type JsonObject, member } from '../../bindings/text/members.ts'
import { PROOF } from '../../bindings/wellknown/signing.ts'
import { FETCH_DIRECTORY, PUBLISH_LEFT_OUT } from '../findings.ts'
import type { Host } from '../host.ts'
import type { Input } from '../inputs/expand.ts'
import { objectsIn } from '../net/rules.ts'
import { ask, askPatiently, wordsOf } from '../net/server.ts'
import { isReadable, type Readable, type Reader, type ReadResult } from '../reader.ts'
import { type PublishResult, refused, type Target } from './target.ts'

const MAKE_ONE = 'the operator of the server can make a token: blazon token create --scope publish'

/** The documents that a Worker stores for an agent: the last part of the URL, and the media type. */
const KEPT = {
  adl: { part: 'adl.json', type: 'application/adl+json' },
  wellknown: { part: 'agent.json', type: 'application/vnd.adp+json' },
} as const

type NamedKind = keyof typeof KEPT

/** Sends an agent's definition or metadata to a Worker of Blazon, under the name of the file. */
export async function publishNamed(
  kind: NamedKind,
  document: Document,
  file: string,
  target: Target,
  host: Host,
): Promise<PublishResult> {
  const { origin, token, confirmed } = target
  const { part, type } = KEPT[kind]
  const refuse = (detail: string, hint?: string) => refused(document, file, kind, { detail, hint })
  if (token === undefined) return refuse(`${rowOf(kind).plural} need the token of the server in BLAZON_TOKEN`, MAKE_ONE)
  const name = nameOf(file)
  if (!isAgentName(name))
    return refuse(
      `the name of the file, ${JSON.stringify(name)}, cannot be part of a URL: a-z, 0-9, ".", "_", "-"`,
      'rename it: the server uses the name of the file as the name of the agent',
    )
  // Data that needs a confirmation is not sent, not even to a server that would refuse it.
  const unconfirmed = kind === 'adl' ? mayPublish(document, confirmed).needs : []
  if (unconfirmed.length > 0) return refuse(`${unconfirmed[0]!.detail}${waysOf(unconfirmed)}`)
  const headers = { authorization: `Bearer ${token}`, 'content-type': type }
  // A YAML source is sent as JSON, which is authoritative (ADL 4.1).
  const body = new Uint8Array(document.bytes)
  const answer = await ask(host, `${origin}/agents/${name}/${part}${kind === 'adl' ? queryOf(target) : ''}`, {
    method: 'PUT',
    headers,
    body,
  })
  if ('problem' in answer) return refused(document, file, kind, { detail: answer.problem, as: FETCH_DIRECTORY })
  const members = membersOf(answer.bytes)
  if (answer.status >= 200 && answer.status < 300)
    return {
      file,
      kind,
      valid: true,
      diagnostics: [],
      ...pick(members, ['url', 'etag', 'outcome', 'acknowledged']),
    }
  const { detail, diagnostics, needs } = members
  if (Array.isArray(diagnostics) && diagnostics.length > 0) {
    return refuse(`the server finds it invalid: ${String(detail)}`, 'blazon validate says where')
  }
  const ways = Array.isArray(needs) ? waysOf(needs) : ''
  const hint = answer.status === 401 || answer.status === 403 ? MAKE_ONE : undefined
  return refuse(`${String(detail ?? `the server answers ${answer.status}`)}${ways}`, hint)
}

function queryOf({ confirmed: { reviewed, acknowledged = [] }, mayReplace }: Target): string {
  const query = new URLSearchParams()
  if (reviewed) query.set('reviewed', 'true')
  if (mayReplace) query.set('replace', 'true')
  for (const pointer of acknowledged) query.append('acknowledge', pointer)
  return query.size === 0 ? '' : `?${query}`
}

/** Names the options that give the missing confirmations. */
function waysOf(needs: readonly { readonly id?: unknown; readonly pointer?: unknown }[]): string {
  const options = needs.flatMap(({ id, pointer }) => {
    if (id === 'review') return ['--reviewed']
    if (id === 'replace') return ['--replace']
    return id === 'bare-wildcard' ? [`--acknowledge ${String(pointer)}`] : []
  })
  return options.length === 0 ? '' : `; ${[...new Set(options)].join(' ')} confirms it`
}

function pick(answer: JsonObject, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.flatMap((name) => (Object.hasOwn(answer, name) ? [[name, answer[name]]] : [])))
}

/** The name of an agent on the server, which is that of its file. */
function nameOf(file: string): string {
  return file.replace(/^.*[/\\]/, '').replace(/(?:\.adl)?\.(?:json|ya?ml)$|\.adl$/, '')
}

/** Reasons for not storing a card that are not faults. */
const HARMLESS = ['equal', 'renewed']

/** What to do about a card that does not prove who published it. */
const NO_KEY_ID =
  'use the id of your key and sign the card: blazon init --kind card --new-key FILE writes such a card, blazon keygen shows the id of a key; or an operator vouches for it with --vouch'
const UNSIGNED = 'sign it: blazon sign FILE --key KEY --out FILE, with the key in its id'
const NOT_HELD =
  'its signature does not verify: sign it again with the key in its id, blazon sign FILE --key KEY --out FILE'

/** What to do, by the status of the refusal. */
const WAYS: Readonly<Record<number, string>> = {
  401: 'BLAZON_TOKEN is not a token of this server: blazon token create makes one',
  413: 'a card has at most 65,535 bytes',
  429: 'send it again later',
}
const RAISE = 'blazon bump writes the next version of a card; sign it again'

/** Sends an Agent Card to a directory (adp.advertise). Invalid cards are not sent. */
export async function publishCard(
  document: Document,
  file: string,
  target: Target,
  host: Host,
): Promise<PublishResult> {
  const { valid, diagnostics } = validate(document)
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  if (!valid) return { file, kind: 'card', valid, diagnostics: errors }
  const { origin, token, vouched } = target
  const headers = { 'content-type': 'application/json', ...(vouched && { authorization: `Bearer ${token}` }) }
  const body = new Uint8Array(document.bytes)
  const answer = await askPatiently(host, `${origin}/adp/advertise`, { method: 'POST', headers, body })
  if ('problem' in answer) return refused(document, file, 'card', { detail: answer.problem, as: FETCH_DIRECTORY })
  const members = membersOf(answer.bytes)
  const stored = member(members, 'stored')
  const reason = member(members, 'reason')
  if (answer.status !== 200 || typeof stored !== 'boolean') {
    const detail = `the directory answers ${answer.status}${wordsOf(members)}`
    const hint = answer.status === 403 ? await hintForProof(document) : WAYS[answer.status]
    return refused(document, file, 'card', { detail, hint })
  }
  const advertised = { id: (document.value as { id: string }).id, stored, reason: String(reason) }
  if (stored || HARMLESS.includes(advertised.reason))
    return { file, kind: 'card', valid: true, diagnostics: [], advertised }
  return { ...refused(document, file, 'card', whyNot(advertised.reason, members)), advertised }
}

/** Says what the card lacks to prove who published it. */
async function hintForProof(document: Document): Promise<string | undefined> {
  const { id, signature } = document.value as { readonly id: string; readonly signature?: unknown }
  const uri = readAgentUri(id)
  const key = 'detail' in uri ? undefined : await keyOfName(uri.authority, crypto.subtle)
  if (key === undefined) return NO_KEY_ID
  if (signature === undefined) return UNSIGNED
  return (await verify(document)).verdict === 'failed' ? NOT_HELD : undefined
}

/** The words of an operator's decision, which follow other findings; otherwise the advice to raise seq. */
function whyNot(reason: string, members: JsonObject): { detail: string; hint?: string } {
  const decision = objectsIn(members, 'diagnostics').findLast(
    (finding) => member(finding, 'code') === DIRECTORY_NOT_ADMITTED.code,
  )
  const words = decision && member(decision, 'detail')
  return typeof words === 'string'
    ? { detail: words }
    : { detail: `the directory keeps its current card: ${reason}`, hint: RAISE }
}

// Definitions (or metadata) whose files have the same name go to the same place on the server: one of them is sent.

/** Where each kind has its signature. */
const SIGNATURES: Readonly<Record<NamedKind, string>> = { adl: SIGNATURE, wellknown: PROOF }

/** Returns the kind of a document that is published under the name of its file; undefined for others. */
type AsNamed = (read: ReadResult) => NamedKind | undefined

/** Reads the inputs. Yields documents that are published under the same name together. */
export async function* byName(
  inputs: readonly Input[],
  reader: Reader,
  asNamed: AsNamed,
): AsyncGenerator<readonly ReadResult[]> {
  const unread = new Map<string, number>()
  const count = (name: string) => unread.get(name) ?? 0
  for (const input of inputs) {
    const name = nameOf(reader.fileOf(input.name))
    unread.set(name, count(name) + 1)
  }
  const groups = new Map<string, ReadResult[]>()
  for await (const read of reader.documents(inputs)) {
    const name = nameOf(read.file)
    unread.set(name, count(name) - 1)
    const group = groups.get(name) ?? []
    if (asNamed(read) === undefined) yield [read]
    else group.push(read)
    if (count(name) > 0) groups.set(name, group)
    else {
      groups.delete(name)
      yield group
    }
  }
}

/**
 * Returns a result for each document of a name that is not sent. Per kind, one is sent: the only signed document, or
 * one of several with equal content. If that does not decide, none is sent.
 */
export function notSent(reads: readonly ReadResult[], asNamed: AsNamed): ReadonlyMap<ReadResult, PublishResult> {
  const kinds: readonly NamedKind[] = ['adl', 'wellknown']
  return new Map(
    kinds.flatMap((kind) =>
      notSentAs(
        kind,
        reads.filter(isReadable).filter((read) => asNamed(read) === kind),
      ),
    ),
  )
}

function notSentAs(kind: NamedKind, reads: readonly Readable[]): readonly (readonly [ReadResult, PublishResult])[] {
  const signed = reads.filter(({ document }) => document.range(SIGNATURES[kind]) !== undefined)
  const [chosen, ...equals] = signed.length > 0 ? signed : reads
  if (chosen !== undefined && equals.every((read) => isSame(read, chosen)))
    return reads
      .filter((read) => read !== chosen)
      .map((read) => {
        const detail = `${chosen.file} ${isSame(read, chosen) ? 'has the same content' : 'is signed'} and goes to the same place`
        return [read, refused(read.document, read.file, kind, { detail, as: PUBLISH_LEFT_OUT })]
      })
  return reads.map((read) => {
    const other = reads[0] === read ? reads[1]! : reads[0]!
    const more = reads.length === 2 ? '' : ` and ${reads.length - 2} more`
    const detail = `${other.file}${more} would go to the same place`
    return [read, refused(read.document, read.file, kind, { detail, hint: GIVE_ONE })]
  })
}

const GIVE_ONE =
  'publish only one of them, or rename the others: the server uses the name of the file as the name of the agent'

function isSame({ document: a }: Readable, { document: b }: Readable): boolean {
  return Buffer.compare(a.canonical, b.canonical) === 0
}
