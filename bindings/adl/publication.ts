// The confirmations that publishing a definition requires (ADL 18.2, 18.4, 18.6).
import type { Diagnostic } from '../document/types.ts'
import type { Report } from '../frame/rule.ts'
import type { FileOptions, Source } from '../frame/source.ts'
import { elements, isText, objectMember, type PlacedValue, textMember } from '../text/members.ts'
import type { Agent } from './agent.ts'
import { isSensitive } from './classification.ts'
import { readAgent } from './read-agent.ts'
import { secrets } from './rules/secrets.ts'

/** Something that a person must review first. */
export interface PublicationNeed {
  /**
   * `review`: a confidential document reveals something, or a text looks like a credential. `bare-wildcard`: a grant of
   * everything; acknowledge it by its pointer. `definition`: the document is not a definition.
   */
  readonly id: 'review' | 'bare-wildcard' | 'definition'
  readonly pointer: string
  readonly detail: string
}

export interface PublicationOptions extends FileOptions {
  /** Someone has reviewed what the document reveals. */
  readonly reviewed?: boolean
  /** JSON Pointers of intended bare wildcards. */
  readonly acknowledged?: readonly string[]
}

export interface Publication {
  readonly allowed: boolean
  /** The missing confirmations; empty when publication is allowed. */
  readonly needs: readonly PublicationNeed[]
  /** The acknowledged wildcards that are present. */
  readonly acknowledged: readonly string[]
  /** The findings of reading the definition. With an error among them, publication is not allowed. */
  readonly diagnostics: readonly Diagnostic[]
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
export function mayPublish(source: Source, options: PublicationOptions = {}): Publication {
  const { reviewed = false, file } = options
  const { subject: agent, diagnostics } = readAgent(source, file)
  if (agent === undefined) {
    const need: PublicationNeed = { id: 'definition', pointer: '', detail: 'The document is no agent definition' }
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
