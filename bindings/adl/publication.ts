// What somebody must have confirmed before a definition is published (ADL 18.4, 18.6).
import type { Document } from '../document/document.ts'
import { Agent, elements, isText, objectMember, type Placed, textMember } from './agent.ts'

/** Something that a person must look at first. */
export interface PublicationNeed {
  /** `review`: what a confidential document reveals. `bare-wildcard`: a grant of everything, acknowledged by its pointer. */
  readonly id: 'review' | 'bare-wildcard'
  readonly pointer: string
  readonly detail: string
}

export interface PublicationOptions {
  /** Somebody reviewed what the document reveals. */
  readonly reviewed?: boolean
  /** JSON Pointers of bare wildcards that are meant. */
  readonly acknowledged?: readonly string[]
}

export interface Publication {
  readonly allowed: boolean
  /** What is missing; empty when it is allowed. */
  readonly needs: readonly PublicationNeed[]
  /** The wildcards that were acknowledged, and are there. */
  readonly acknowledged: readonly string[]
}

/**
 * Whether a valid document may be published, and what somebody must confirm first.
 *
 * @example
 * mayPublish(parse('{"data_classification": {"sensitivity": "restricted"}}').document).needs[0].id // 'review'
 *
 * @throws {TypeError} when the document is no JSON object.
 */
export function mayPublish(document: Document, options: PublicationOptions = {}): Publication {
  const { reviewed = false, acknowledged = [] } = options
  const agent = new Agent(document)
  const wildcards = bareWildcards(agent)
  const needs: PublicationNeed[] = wildcards
    .filter(({ pointer }) => !acknowledged.includes(pointer))
    .map(({ pointer }) => {
      const detail = `${pointer} is a bare '*', which grants everything: acknowledge it by its pointer`
      return { id: 'bare-wildcard', pointer, detail }
    })
  const sensitivity = textMember(agent.classification, 'sensitivity')
  if (!reviewed && (sensitivity?.value === 'confidential' || sensitivity?.value === 'restricted')) {
    const detail = `The document is ${sensitivity.value}: somebody must review what publishing it reveals`
    needs.push({ id: 'review', pointer: sensitivity.pointer, detail })
  }
  const present = wildcards.map(({ pointer }) => pointer).filter((pointer) => acknowledged.includes(pointer))
  return { allowed: needs.length === 0, needs, acknowledged: present }
}

/** Patterns that are nothing but `*`, in the domains where ADL 18.6 asks for an acknowledgement. */
export function bareWildcards(agent: Agent): readonly Placed<string>[] {
  const hosts = elements(objectMember(agent.permissions, 'network'), 'allowed_hosts', isText)
  const variables = elements(objectMember(agent.permissions, 'environment'), 'allowed_variables', isText)
  return [...hosts, ...variables].filter(({ value }) => value === '*')
}
