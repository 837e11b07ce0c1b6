// Converts an agent definition into an Agent Card. Members unknown to a card are kept in the extension blazon.adl.

import { isDid } from '../../keys/did.ts'
import { member, objectMember } from '../../text/members.ts'
import { definitionBaggage } from '../baggage.ts'
import { protocolOfUri } from '../card-a2a/endpoints.ts'
import { CONVERT_AUTHENTICATION, CONVERT_NEEDED } from '../findings.ts'
import { type Job, type Product, textOf } from '../job.ts'
import { equal, type MutableObject } from '../json.ts'
import type { Carrier, Ledger } from '../ledger.ts'
import { restore } from '../restore.ts'
import { isTexts } from '../sides/a2a.ts'
import { closeCard, type NamedTool, needName, readText, restoreCard, toolKeeper, toolsOf } from '../sides/card.ts'
import { CLOSED, plainVersion, standsFor } from '../sides/definition.ts'
import { cardToAdl, OWN } from './from-card.ts'

/** Makes a card from a definition. */
export function cardFromAdl(job: Job): Product {
  const { root, ledger } = job
  const own = objectMember(root, OWN)
  const card: MutableObject = {}
  needName(job, root)
  for (const name of ['name', 'description']) readText(ledger, root, name, card, '', { carried: own, fallback: '' })
  // A version without numbers was replaced by one from the caller.
  const short = (version: string) => plainVersion(version) ?? textOf(root, 'version') ?? ''
  readText(ledger, root, 'version', card, '', { carried: own, fallback: '', short })
  const identity = objectMember(root, 'cryptographic_identity')
  const did = textOf(identity, 'did')
  if (did !== undefined && isDid(did)) {
    card['did'] = did
    ledger.moved(`${identity!.pointer}/did`, '/did')
  }
  const metadata = objectMember(root, 'metadata')
  const tags = member(metadata?.value, 'tags')
  if (isTexts(tags)) {
    card['skills'] = tags
    ledger.moved('/metadata/tags', '/skills')
  }
  const carriers: [string, Carrier][] = []
  const { tools, exact } = toolsOf(root)
  const made = tools.map((named, i) => readTool(named, `/tools/${i}`, exact ? ledger : undefined, own !== undefined))
  if (made.length > 0) card['tools'] = made
  for (const [i, { tool }] of tools.entries()) {
    if (exact) carriers.push([tool.pointer, toolKeeper(card, 'adl', String(made[i]!['name']))])
    else ledger.shown(tool.pointer, `/tools/${i}`)
  }
  writeEndpoint(job, card)
  if (own !== undefined) restoreCard(ledger, own, card)
  return closeCard(job, card, 'adl', cardToAdl, carriers, definitionBaggage)
}

/** Converts a tool. `whole`: the definition was made from a card, so that members not kept were absent. */
function readTool({ name, tool }: NamedTool, at: string, ledger: Ledger | undefined, whole: boolean): MutableObject {
  const own = objectMember(tool, OWN) ?? (whole ? { pointer: '', value: {} } : undefined)
  const kept = textOf(own, 'name')
  const title = kept !== undefined && standsFor(name, kept) ? kept : undefined
  const made: MutableObject = { name: title ?? name }
  if (title === undefined) ledger?.moved(`${tool.pointer}/name`, `${at}/name`)
  else ledger?.implied(`${tool.pointer}/name`, 'also carried along', `${at}/name`)
  if (ledger !== undefined) readText(ledger, tool, 'description', made, at, { carried: own, fallback: title ?? name })
  else if (textOf(tool, 'description') !== undefined) made['description'] = textOf(tool, 'description')
  for (const [from, to] of [
    ['parameters', 'input_schema'],
    ['returns', 'output_schema'],
  ] as const) {
    const schema = objectMember(tool, from)
    if (schema === undefined) continue
    if (equal(schema.value, CLOSED) && member(own?.value, to) !== undefined) {
      ledger?.implied(schema.pointer, 'replaces the carried schema', `${at}/${to}`)
      continue
    }
    made[to] = schema.value
    ledger?.moved(schema.pointer, `${at}/${to}`)
  }
  const idempotent = member(tool.value, 'idempotent')
  if (typeof idempotent === 'boolean') {
    made['idempotent'] = idempotent
    ledger?.moved(`${tool.pointer}/idempotent`, `${at}/idempotent`)
  }
  if (own !== undefined && ledger !== undefined && own.pointer !== '') restore(ledger, own, made, at)
  return made
}

const AUTH: Readonly<Record<string, string>> = { none: 'none', mtls: 'mutual_tls', oauth2: 'bearer', oidc: 'bearer' }

/** Writes the endpoint at the caller's URL: a definition does not say where its agent is. */
function writeEndpoint(job: Job, card: MutableObject): void {
  const {
    root,
    options: { url },
    ledger,
    problems,
  } = job
  if (url === undefined) return
  const protocol = protocolOfUri(url)
  if (protocol === undefined) {
    problems.report(CONVERT_NEEDED, '', 'the option url must be a URL: http, https, grpc, ws, wss or agent')
    return
  }
  const endpoint: MutableObject = { protocol, uri: url }
  card['endpoints'] = [endpoint]
  ledger.added('/endpoints/0', 'the option url')
  const authentication = objectMember(objectMember(root, 'security'), 'authentication')
  const type = textOf(authentication, 'type')
  if (authentication === undefined || type === undefined) return
  if (Object.hasOwn(AUTH, type)) {
    endpoint['auth'] = AUTH[type]
    ledger.shown(`${authentication.pointer}/type`, '/endpoints/0/auth')
  } else
    problems.report(CONVERT_AUTHENTICATION, `${authentication.pointer}/type`, 'an Agent Card cannot express an API key')
}
