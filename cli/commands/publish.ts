import { isAgentName, mayPublish } from '../../bindings/adl/publication.ts'
import { SIGNATURE } from '../../bindings/adl/signature/signed.ts'
import { keyOfName, readAgentUri } from '../../bindings/card/agent-uri.ts'
import { validate, verify } from '../../bindings/card/verbs.ts'
import { DIRECTORY_NOT_ADMITTED } from '../../bindings/directory/findings.ts'
import { type Document, membersOf } from '../../bindings/document/parse.ts'
import type { Diagnostic } from '../../bindings/document/types.ts'
import { refuseOther } from '../../bindings/frame/steps.ts'
import { type Kind, rowOf } from '../../bindings/kinds.ts'
import { type JsonObject, member } from '../../bindings/text/members.ts'
import { PROOF } from '../../bindings/wellknown/signing.ts'
import { INDEX, KEY_VARIABLE, LOGIN, REGISTRY_VARIABLE, SECRET } from '../agentlang/options.ts'
import { defineCommand, UsageError, unreadable } from '../command.ts'
import { FETCH_DIRECTORY, PUBLISH_LEFT_OUT } from '../findings.ts'
import type { Host } from '../host.ts'
import { type Input, isAgentFile } from '../inputs.ts'
import { PRIVATE_KEY } from '../keys.ts'
import { placeholdersIn } from '../open.ts'
import { isReadable, type Readable, type Reader, type ReadResult } from '../reader.ts'
import {
  ask,
  askPatiently,
  missingToken,
  objectsIn,
  type PublishResult,
  type Refusal,
  readTarget,
  refused,
  SERVER,
  type Target,
  wordsOf,
} from '../server.ts'

const PUBLISHED: readonly Kind[] = ['adl', 'card', 'wellknown']

/** Documents that are sent at the same time. */
const AT_ONCE = 8

export const command = defineCommand({
  options: {
    server: SERVER,
    reviewed: { about: 'confirm that someone checked what publishing reveals' },
    acknowledge: { value: 'POINTER', many: true, about: 'confirm the bare * at this pointer' },
    replace: { about: 'let a definition replace other content of the same version' },
    'allow-placeholders': { about: 'also send documents with template texts of init' },
    vouch: { about: 'send the token with cards, so that unsigned ones are accepted' },
    registry: {
      value: 'HOST',
      about: `for containers and folders of AgentLang: an OCI registry, or oci:FOLDER (without --server, default ${REGISTRY_VARIABLE})`,
    },
    ...LOGIN,
    'dry-run': { about: 'with --registry: send nothing, and print what would be sent' },
    key: {
      ...PRIVATE_KEY,
      about: `the private key that signs the container of a folder (default env:${KEY_VARIABLE})`,
      variable: KEY_VARIABLE,
    },
    secret: SECRET,
    index: INDEX,
  },
  async run({ options, positionals, reader, host, print, say, note }) {
    const { server, registry = server === undefined ? host.env[REGISTRY_VARIABLE] : undefined } = options
    if (registry) {
      const { publishAgents } = await import('../agentlang/registry.ts')
      return publishAgents(registry, [positionals, options], { host, reader, print, say, note })
    }
    if (options['dry-run'] || server === undefined)
      throw new UsageError('missing-option', 'publish needs --server URL, or --registry HOST for agents', NAME_ONE)
    const target = readTarget(options.server, options, host)
    const inputs = await reader.inputs(positionals, { names: 'all' })
    if (target.token === undefined && inputs.some(({ name }) => isAgentFile(name))) throw missingToken('publish')
    say(`publishing to ${target.origin}`)
    const results: PublishResult[] = []
    let others = 0
    const isMeant = ({ file, kind }: ReadResult) =>
      positionals.includes(file) || (kind === undefined ? isAgentFile(file) : PUBLISHED.includes(kind))
    const asNamed = (read: ReadResult) => {
      if (!isReadable(read) || !isMeant(read)) return undefined
      const { kind = 'adl' } = read
      return kind === 'adl' || kind === 'wellknown' ? kind : undefined
    }
    const send = async (read: ReadResult): Promise<PublishResult | undefined> => {
      if (!isReadable(read)) return unreadable(read)
      // Documents of other kinds in a folder are skipped.
      if (!isMeant(read)) return undefined
      const { file, document, diagnostics } = read
      const named = asNamed(read)
      if (named === undefined && read.kind !== 'card')
        return unreadable({ ...read, diagnostics: refuseOther(read, PUBLISHED) })
      const left = options['allow-placeholders'] ? [] : await placeholdersIn(document, read.kind)
      if (left.length > 0) return refused(document, file, named ?? 'card', placeholdersLeft(left))
      const result =
        named === undefined
          ? await publishCard(document, file, target, host)
          : await publishNamed(named, document, file, target, host)
      return { ...result, diagnostics: [...diagnostics, ...result.diagnostics] }
    }
    let batch: (PublishResult | undefined | Promise<PublishResult | undefined>)[] = []
    const finish = async () => {
      for (const result of await Promise.all(batch)) {
        if (result === undefined) others++
        else {
          results.push(result)
          print(publishedLine(result))
        }
      }
      batch = []
      reader.showProgress(`published ${results.length + others} of ${inputs.length}`)
    }
    for await (const reads of byName(inputs, reader, asNamed)) {
      const kept = notSent(reads, asNamed)
      for (const read of reads) {
        batch.push(kept.get(read) ?? send(read))
        if (batch.length === AT_ONCE) await finish()
      }
    }
    await finish()
    return { results, notes: [summary(results, others, target.origin)] }
  },
})

const NAME_ONE = 'as in --server https://agents.example.com, or --registry registry.example.com'

function placeholdersLeft(left: readonly Diagnostic[]): Refusal {
  const [first] = left
  const more = left.length === 1 ? '' : `, and ${left.length - 1} more`
  const detail = `${first!.source.pointer} is still a template text of blazon init${more}`
  const hint = 'replace it (blazon validate lists all) and sign again, or send it anyway with --allow-placeholders'
  return { detail, hint }
}

/** The URL of a published definition, or the answer of the directory for a card. */
function publishedLine({ url, advertised, valid }: PublishResult): string {
  if (typeof url === 'string') return `${url}\n`
  if (!valid || advertised === undefined) return ''
  return `${advertised.id}\t${advertised.reason}\n`
}

function summary(results: readonly PublishResult[], others: number, origin: string): string {
  const reasons = new Map<string, number>()
  for (const { advertised } of results) {
    if (advertised === undefined) continue
    const { stored, reason } = advertised
    const words = stored ? 'stored' : reason === 'equal' ? 'unchanged' : `not stored (${reason})`
    reasons.set(words, (reasons.get(words) ?? 0) + 1)
  }
  const cards = [...reasons].map(([words, n]) => `${n} ${words}`).join(', ')
  const leftOut = results.filter(({ diagnostics }) =>
    diagnostics.some(({ code }) => code === PUBLISH_LEFT_OUT.code),
  ).length
  const published = results.filter(({ valid }) => valid).length - leftOut
  return [
    `${published} of ${results.length - leftOut} published at ${origin}`,
    ...(cards === '' ? [] : [`cards: ${cards}`]),
    ...(leftOut === 0 ? [] : [`${leftOut} skipped`]),
    ...(others === 0 ? [] : [`${others} of another kind`]),
  ].join('; ')
}

const MAKE_ONE = 'the operator of the server can make a token: blazon token create NAME --scope publish --server URL'

/** The documents that a Worker stores for an agent: the last part of the URL, and the media type. */
const KEPT = {
  adl: { part: 'adl.json', type: 'application/adl+json' },
  wellknown: { part: 'agent.json', type: 'application/vnd.adp+json' },
} as const

type NamedKind = keyof typeof KEPT

/** Sends an agent's definition or metadata to a Worker of Blazon, under the name of the file. */
async function publishNamed(
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
  const name = agentNameOf(file)
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
    return { file, kind, valid: true, diagnostics: [], ...pick(members, ['url', 'etag', 'outcome', 'acknowledged']) }
  const { detail, diagnostics, needs } = members
  if (Array.isArray(diagnostics) && diagnostics.length > 0)
    return refuse(`the server finds it invalid: ${String(detail)}`, 'blazon validate says where')
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

const agentNameOf = (file: string): string =>
  file.replace(/^.*[/\\]/, '').replace(/(?:\.adl)?\.(?:json|ya?ml)$|\.adl$/, '')

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
async function publishCard(document: Document, file: string, target: Target, host: Host): Promise<PublishResult> {
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
    const name = agentNameOf(reader.fileOf(input.name))
    unread.set(name, count(name) + 1)
  }
  const groups = new Map<string, ReadResult[]>()
  for await (const read of reader.documents(inputs)) {
    const name = agentNameOf(read.file)
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
function notSent(reads: readonly ReadResult[], asNamed: AsNamed): ReadonlyMap<ReadResult, PublishResult> {
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

const isSame = ({ document: a }: Readable, { document: b }: Readable): boolean =>
  Buffer.compare(a.canonical, b.canonical) === 0
