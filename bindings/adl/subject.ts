import type { Diagnostic } from '../document/types.ts'
import { type OtherVersion, type Reading, RootSubject } from '../frame/subject.ts'
import { isSemver } from '../schema/formats.ts'
import { elements, isObject, isText, objectMember, type PlacedObject, valueIn } from '../text/members.ts'
import { quoted, shown } from '../text/words.ts'
import { ROOT_OBJECT, VAL_01 } from './findings.ts'

/**
 * An agent definition as rules and verbs read it: every part that is present and has the right type, and nothing else.
 * Members of a wrong type are left to the schema, so that one fault gives one finding, and no rule needs to check
 * types.
 */
export class Agent extends RootSubject {
  readonly lifecycle = objectMember(this.root, 'lifecycle')
  readonly provider = objectMember(this.root, 'provider')
  readonly identity = objectMember(this.root, 'cryptographic_identity')
  readonly permissions = objectMember(this.root, 'permissions')
  readonly security = objectMember(this.root, 'security')
  readonly attestation = objectMember(this.security, 'attestation')
  readonly classification = objectMember(this.root, 'data_classification')
  readonly runtime = objectMember(this.root, 'runtime')
  readonly metadata = objectMember(this.root, 'metadata')
  readonly tools = elements(this.root, 'tools', isObject)
  readonly resources = elements(this.root, 'resources', isObject)
  readonly prompts = elements(this.root, 'prompts', isObject)
  readonly profiles = elements(this.root, 'profiles', isText)
  /**
   * The results that `once` (places.ts) keeps. A WeakMap keyed by agent made checking a third slower, because every
   * agent is new.
   */
  readonly found: unknown[] = []
}

/** The reading of agent definitions. */
export const ADL_READING: Reading<Agent> = {
  kind: 'adl',
  rootObject: ROOT_OBJECT,
  subject: (document) => new Agent(document),
  onRead: asParseError,
  otherVersion,
}

/** In a document that is known to be ADL, JSON faults get the code of section 16.2. Limits keep our codes. */
function asParseError(diagnostic: Diagnostic): Diagnostic {
  return diagnostic.severity === 'error' && diagnostic.rule.startsWith('json/') && diagnostic.rule !== 'json/depth'
    ? { ...diagnostic, code: 'ADL-1001', title: 'Invalid JSON syntax' }
    : diagnostic
}

/** True for extension members, which anyone may add (ADL appendix D, ext-member-name). */
export function isExtension(name: string): boolean {
  return name.startsWith('x_') && /^x_[a-z0-9_]+$/.test(name)
}

// The version of ADL that a definition names.

/** The changes of later versions, for authors who check such a document against 0.1. */
const CHANGES: readonly (readonly [begin: string, change: string])[] = [
  ['0.2.', 'ADL 0.2 has an object `extensions` instead of x_ members, and profiles compose by allOf'],
  ['0.3.', 'ADL 0.3 adds sub-agents, budgets and degradation, and has `extensions` instead of x_ members'],
  ['0.4.', 'ADL 0.4 is 0.3 with another composition of profiles, and has `extensions` instead of x_ members'],
]

/** True when the rules of 0.1 apply to a version. */
export function isSupportedVersion(version: string): boolean {
  return version.startsWith('0.1.') && isSemver(version)
}

/** Documents of another version may give the same words another meaning (ADL 5.1). */
export function otherVersion({ root }: { readonly root: PlacedObject }): OtherVersion | undefined {
  const version = valueIn(root, 'adl_spec')
  if (!Object.hasOwn(root.value, 'adl_spec') || (typeof version === 'string' && isSupportedVersion(version)))
    return undefined
  const isText = typeof version === 'string'
  const change = CHANGES.find(([begin]) => isText && version.startsWith(begin))?.[1]
  const detail = `Version ${isText ? quoted(version) : shown(version)} is not supported, 0.1.x is`
  return { rule: VAL_01, pointer: '/adl_spec', detail: change === undefined ? detail : `${detail}: ${change}` }
}
