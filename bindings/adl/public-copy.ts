import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import type { Document } from '../document/document.ts'
import { isObject, type JsonObject, member, textMember } from '../document/members.ts'
import { parse } from '../document/parse.ts'
import { escapeToken } from '../document/pointer.ts'
import { ruleDiagnostic } from '../document/rule.ts'
import type { Diagnostic } from '../document/types.ts'
import type { Agent } from './agent.ts'
import { openAgent, type Source } from './definition.ts'
import { extensions } from './review/extensions.ts'
import type { ReviewOptions } from './review.ts'
import { privateHosts } from './rules/private-hosts.ts'
import { secrets } from './rules/secrets.ts'

/** The member in which a copy says that it is one. */
const NOTICE = 'x_blazon_public_copy'

export interface Removal {
  /** In the definition that was copied. */
  readonly pointer: string
  readonly why: string
}

export interface PublicCopy {
  /** The reduced definition; undefined when a diagnostic is an error. */
  readonly document: Document | undefined
  readonly removed: readonly Removal[]
  readonly diagnostics: readonly Diagnostic[]
}

/** Members that are left out whole, and why. */
const LEFT_OUT: readonly (readonly [pointer: string, why: string])[] = [
  ['/system_prompt', 'a prompt'],
  ['/prompts', 'prompts'],
  ['/provider/contact', 'a contact'],
  ['/metadata/authors', 'contacts'],
  ['/permissions/filesystem', 'paths of a file system'],
  ['/permissions/environment', 'names of variables'],
  ['/permissions/execution', 'names of commands'],
  ['/security/attestation', 'it vouches for the whole definition'],
]

/** These a definition has to have: it cannot do without them even when they name a private host. */
const NEEDED = ['adl_spec', 'name', 'description', 'version', 'data_classification']

/**
 * A definition for the public (ADL 18.4): without prompts, contacts, paths, variables, commands, examples, private hosts
 * and extension members. It is not signed, and says so in `x_blazon_public_copy`, with the SHA-256 of the canonical form of
 * the whole definition.
 *
 * @example
 * publicCopy(definition).removed // [{ pointer: '/system_prompt', why: 'a prompt' }]
 *
 * @throws {TypeError} when the source is neither text, bytes nor a document.
 */
export function publicCopy(source: Source, { file }: ReviewOptions = {}): PublicCopy {
  const { agent, diagnostics } = openAgent(source, file)
  if (agent === undefined) return { document: undefined, removed: [], diagnostics }
  const leaks = secretsOf(agent)
  if (leaks.length > 0) return { document: undefined, removed: [], diagnostics: [...diagnostics, ...leaks] }
  const why = new Map<string, string>()
  for (const [pointer, reason] of LEFT_OUT) why.set(pointer, reason)
  for (const { pointer } of agent.tools) why.set(`${pointer}/examples`, 'examples of calls')
  for (const resource of agent.resources) {
    if (/^file:/i.test(textMember(resource, 'uri')?.value ?? '')) why.set(`${resource.pointer}/uri`, 'a path')
  }
  for (const pointer of extensions(agent)) why.set(pointer, 'an extension member')
  privateHosts.check(agent, (pointer, detail) => why.set(pointer, detail), { now: new Date(0) })
  const removed: Removal[] = []
  const value = reduce(agent.root.value, '', why, removed) as JsonObject
  const notice = {
    note: 'Reduced for publication. Not signed: the whole definition is what counts.',
    sha256_of_whole: bytesToHex(sha256(agent.document.canonical)),
    removed_members: removed.length,
  }
  const copy = parse(JSON.stringify({ ...value, [NOTICE]: notice }, null, 2))
  return { document: copy.document, removed, diagnostics: [...diagnostics, ...copy.diagnostics] }
}

/** Whoever published a copy with a credential in it would have published the credential. */
function secretsOf(agent: Agent): Diagnostic[] {
  const found: Diagnostic[] = []
  const report = (pointer: string, detail: string) =>
    found.push(ruleDiagnostic(agent.document, secrets, 'error', pointer, detail))
  secrets.check(agent, report, { now: new Date(0) })
  return found
}

/** The value without what has a reason to go, which is noted. */
function reduce(value: unknown, pointer: string, why: ReadonlyMap<string, string>, removed: Removal[]): unknown {
  const goes = (place: string, name: string | undefined) => {
    const reason = why.get(place)
    if (reason === undefined || (pointer === '' && name !== undefined && NEEDED.includes(name))) return false
    removed.push({ pointer: place, why: reason })
    return true
  }
  if (Array.isArray(value)) {
    return value.flatMap((element: unknown, i) => {
      const place = `${pointer}/${i}`
      return goes(place, undefined) ? [] : [reduce(element, place, why, removed)]
    })
  }
  if (!isObject(value)) return value
  const entries = Object.keys(value).flatMap((name) => {
    const place = `${pointer}/${escapeToken(name)}`
    return goes(place, name) ? [] : [[name, reduce(member(value, name), place, why, removed)] as const]
  })
  return Object.fromEntries(entries)
}
