import { isAgentName, mayPublish } from '../../bindings/adl/publication.ts'
import { type Document, membersOf } from '../../bindings/document/parse.ts'
import { rowOf } from '../../bindings/kinds.ts'
import type { JsonObject } from '../../bindings/text/members.ts'
import { FETCH_DIRECTORY } from '../findings.ts'
import type { Host } from '../host.ts'
import { ask } from '../net/server.ts'
import { type PublishResult, refused, type Target } from './target.ts'

const MAKE_ONE = 'the operator of the server can make a token: blazon token create --scope publish'

/** The documents that a Worker stores for an agent: the last part of the URL, and the media type. */
const KEPT = {
  adl: { part: 'adl.json', type: 'application/adl+json' },
  wellknown: { part: 'agent.json', type: 'application/vnd.adp+json' },
} as const

export type NamedKind = keyof typeof KEPT

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
export function nameOf(file: string): string {
  return file.replace(/^.*[/\\]/, '').replace(/(?:\.adl)?\.(?:json|ya?ml)$|\.adl$/, '')
}
