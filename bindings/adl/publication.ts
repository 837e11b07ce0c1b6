// Definitions for others to see: the confirmations that publishing requires (ADL 18.2, 18.4, 18.6), a copy for the
// public, and one for logs (18.9).

import { applyEdits, cuts, withEdits, withValues } from '../document/edit.ts'
import { formatJson } from '../document/fmt.ts'
import { type Document, parse } from '../document/parse.ts'
import { OBJECT } from '../document/tape.ts'
import type { Diagnostic, Edit } from '../document/types.ts'
import { readAs } from '../frame/as.ts'
import type { FileOptions, Source } from '../frame/source.ts'
import { type Report, refusalsBy } from '../frame/subject.ts'
import { toHex } from '../text/bytes.ts'
import { elements, escapeToken, isText, objectMember, type PlacedValue, textIn, textMember } from '../text/members.ts'
import { sha256 } from '../wasm/sha256.ts'
import { extensions, isSensitive } from './places.ts'
import { type RedactOptions, secretValues } from './redaction.ts'
import { privateHosts, secrets } from './rules/identifiers.ts'
import { ADL_READING, type Agent } from './subject.ts'

/** Something that a person must review first. */
interface PublicationNeed {
  /**
   * `review`: a confidential document reveals something, or a text looks like a credential. `bare-wildcard`: a grant of
   * everything; acknowledge it by its pointer. `definition`: the document is not a definition.
   */
  readonly id: 'review' | 'bare-wildcard' | 'definition'
  readonly pointer: string
  readonly detail: string
}

export declare namespace mayPublish {
  interface Result {
    readonly allowed: boolean
    /** The missing confirmations; empty when publication is allowed. */
    readonly needs: readonly PublicationNeed[]
    /** The acknowledged wildcards that are present. */
    readonly acknowledged: readonly string[]
    /** The findings of reading the definition. With an error among them, publication is not allowed. */
    readonly diagnostics: readonly Diagnostic[]
  }

  interface Options extends FileOptions {
    /** Someone has reviewed what the document reveals. */
    readonly reviewed?: boolean
    /** JSON Pointers of intended bare wildcards. */
    readonly acknowledged?: readonly string[]
  }
}

/** The name of an agent in an address. It stands between slashes, and begins and ends with a letter or digit. */
const NAME = /^[a-z0-9](?:[a-z0-9._-]{0,126}[a-z0-9])?$/

/**
 * True when a definition can be published under a name, at `/agents/NAME`.
 *
 * @example
 * isAgentName('invoice-processor') // true
 */
export function isAgentName(name: string): boolean {
  return NAME.test(name)
}

/**
 * Decides whether a valid document may be published, and lists the confirmations that are still needed.
 *
 * @example
 * mayPublish('{"data_classification": {"sensitivity": "restricted"}}').needs[0].id // 'review'
 *
 * @throws {TypeError} for invalid arguments; never for the content of a document.
 */
export function mayPublish(source: Source, options: mayPublish.Options = {}): mayPublish.Result {
  const { reviewed = false, file } = options
  const { subject: agent, diagnostics } = readAs(ADL_READING, source, file)
  if (agent === undefined) {
    const need: PublicationNeed = { id: 'definition', pointer: '', detail: 'The document is not an agent definition' }
    return { allowed: false, needs: [need], acknowledged: [], diagnostics }
  }
  const acknowledged = new Set(options.acknowledged)
  const wildcards = bareWildcards(agent)
  const needs: PublicationNeed[] = wildcards
    .filter(({ pointer }) => !acknowledged.has(pointer))
    .map(({ pointer }) => {
      const detail = `${pointer} is a bare '*', which grants everything: acknowledge it by its pointer`
      return { id: 'bare-wildcard', pointer, detail }
    })
  const sensitivity = textMember(agent.classification, 'sensitivity')
  if (!reviewed && sensitivity !== undefined && isSensitive(sensitivity.value)) {
    const detail = `The document is ${sensitivity.value}: somebody must review what publishing it reveals`
    needs.push({ id: 'review', pointer: sensitivity.pointer, detail })
  }
  if (!reviewed) {
    const report: Report = (pointer, detail) =>
      needs.push({ id: 'review', pointer, detail: `${detail}: somebody must make sure that it is not one` })
    secrets.check(agent, report, { now: new Date(0) })
  }
  const present = wildcards.map(({ pointer }) => pointer).filter((pointer) => acknowledged.has(pointer))
  return { allowed: needs.length === 0, needs, acknowledged: present, diagnostics }
}

/** Patterns that are only `*`, in the domains where ADL 18.6 requires an acknowledgement. */
export function bareWildcards(agent: Agent): readonly PlacedValue<string>[] {
  const hosts = elements(objectMember(agent.permissions, 'network'), 'allowed_hosts', isText)
  const variables = elements(objectMember(agent.permissions, 'environment'), 'allowed_variables', isText)
  return [...hosts, ...variables].filter(({ value }) => value === '*')
}

/** The member that marks a copy as one. */
const NOTICE = 'x_blazon_public_copy'

interface Removal {
  /** The place in the original definition. */
  readonly pointer: string
  readonly why: string
}

export declare namespace publicCopy {
  interface Result {
    /** The reduced definition; undefined when a diagnostic is an error. */
    readonly document: Document | undefined
    readonly removed: readonly Removal[]
    readonly diagnostics: readonly Diagnostic[]
  }
}

/** Members that are left out completely, and why. */
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

/** Members that a definition requires: they stay even if they name a private host. */
const NEEDED = ['/adl_spec', '/name', '/description', '/version', '/data_classification']

/**
 * A definition for the public (ADL 18.4): without prompts, contacts, paths, variables, commands, examples, private
 * hosts and extension members. The copy is not signed. Its member `x_blazon_public_copy` says so, with the SHA-256 of
 * the canonical form of the whole definition.
 *
 * @example
 * publicCopy(definition).removed // [{ pointer: '/system_prompt', why: 'a prompt' }]
 *
 * @throws {TypeError} when the source is neither text, bytes nor a document.
 */
export function publicCopy(source: Source, { file }: FileOptions = {}): publicCopy.Result {
  const { subject: agent, diagnostics } = readAs(ADL_READING, source, file)
  if (agent === undefined) return { document: undefined, removed: [], diagnostics }
  // A credential in the definition could get into the copy, and be published.
  const leaks = refusalsBy(secrets, agent)
  if (leaks.length > 0) return { document: undefined, removed: [], diagnostics: [...diagnostics, ...leaks] }
  const why = new Map<string, string>()
  for (const [pointer, reason] of LEFT_OUT) why.set(pointer, reason)
  for (const { pointer } of agent.tools) why.set(`${pointer}/examples`, 'examples of calls')
  for (const resource of agent.resources) {
    if (/^file:/i.test(textIn(resource, 'uri') ?? '')) why.set(`${resource.pointer}/uri`, 'a path')
  }
  for (const pointer of extensions(agent)) why.set(pointer, 'an extension member')
  privateHosts.check(agent, (pointer, detail) => why.set(pointer, detail), { now: new Date(0) })
  const removed: Removal[] = []
  const goes = (pointer: string) => {
    const reason = NEEDED.includes(pointer) ? undefined : why.get(pointer)
    if (reason !== undefined) removed.push({ pointer, why: reason })
    return reason !== undefined
  }
  const edits: Edit[] = []
  cutBelow(agent.document, 0, '', goes, edits)
  const reduced = withEdits(agent.document, edits)
  const notice = {
    note: 'Reduced for publication. Not signed: the whole definition is what counts.',
    sha256_of_whole: toHex(sha256(agent.document.canonical)),
    removed_members: removed.length,
  }
  const { document, diagnostics: warnings } = parse(formatJson(withValues(reduced, [[`/${NOTICE}`, notice]])))
  return { document, removed, diagnostics: [...diagnostics, ...warnings] }
}

/** Adds the edits that cut parts out of a value. Numbers and strings stay as they were written, so no digit is lost. */
function cutBelow(
  document: Document,
  entry: number,
  pointer: string,
  goes: (pointer: string) => boolean,
  edits: Edit[],
): void {
  const { tape } = document
  const hasNames = tape.kind(entry) === OBJECT
  const stays = (child: number, i: number): boolean => {
    const place = `${pointer}/${hasNames ? escapeToken(tape.text(child)) : i}`
    if (goes(place)) return false
    cutBelow(document, hasNames ? child + 1 : child, place, goes, edits)
    return true
  }
  for (const edit of cuts(document, entry, stays)) edits.push(edit)
}

/** The text that replaces a removed value. */
const REDACTED = '[redacted]'

export declare namespace redact {
  type Options = RedactOptions

  interface Result {
    /** The definition with the values replaced and everything else unchanged. Undefined when it cannot be read. */
    readonly document: Document | undefined
    /** JSON Pointers of the removed values, in the order of the options. */
    readonly removed: readonly string[]
    readonly diagnostics: readonly Diagnostic[]
  }
}

/**
 * A definition that is safe to log (ADL 18.9): `[redacted]` replaces contacts, authors and prompts. Do not log a
 * document that cannot be read.
 *
 * @example
 * redact('{"name": "A", "provider": {"name": "Acme", "contact": "ada@acme.example"}}').removed // ['/provider/contact']
 *
 * @throws {TypeError} when the source is neither text, bytes nor a document.
 */
export function redact(source: Source, options: RedactOptions = {}): redact.Result {
  const { subject: agent, diagnostics } = readAs(ADL_READING, source)
  if (agent === undefined) return { document: undefined, removed: [], diagnostics }
  const { bytes, tape } = agent.document
  const secrets = secretValues(agent.document, options)
  const edits = secrets.map(({ entry }) => {
    return { offset: tape.start(entry), endOffset: tape.end(entry), text: JSON.stringify(REDACTED) }
  })
  const { document } = parse(applyEdits(bytes, edits))
  return { document, removed: secrets.map(({ pointer }) => pointer), diagnostics }
}
