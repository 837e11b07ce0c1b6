import type { Document } from '../document/document.ts'
import { formatJson } from '../document/fmt.ts'
import { parse } from '../document/parse.ts'
import { cuts, withEdits, withValues } from '../document/rewrite.ts'
import { OBJECT } from '../document/tape.ts'
import type { Diagnostic, Edit } from '../document/types.ts'
import { refusalsBy } from '../frame/rule.ts'
import type { FileOptions, Source } from '../frame/source.ts'
import { toHex } from '../text/bytes.ts'
import { textMember } from '../text/members.ts'
import { escapeToken } from '../text/pointer.ts'
import { sha256 } from '../wasm/sha256.ts'
import { readAgent } from './read-agent.ts'
import { extensions } from './review/extensions.ts'
import { privateHosts } from './rules/private-hosts.ts'
import { secrets } from './rules/secrets.ts'

/** The member that marks a copy as one. */
const NOTICE = 'x_blazon_public_copy'

export interface Removal {
  /** The place in the original definition. */
  readonly pointer: string
  readonly why: string
}

export interface PublicCopy {
  /** The reduced definition; undefined when a diagnostic is an error. */
  readonly document: Document | undefined
  readonly removed: readonly Removal[]
  readonly diagnostics: readonly Diagnostic[]
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
export function publicCopy(source: Source, { file }: FileOptions = {}): PublicCopy {
  const { subject: agent, diagnostics } = readAgent(source, file)
  if (agent === undefined) return { document: undefined, removed: [], diagnostics }
  // A credential in the definition could get into the copy, and be published.
  const leaks = refusalsBy(secrets, agent)
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
