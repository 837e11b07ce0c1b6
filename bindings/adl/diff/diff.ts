import { whyUnreadable } from '../../document/finding.ts'
import { readAs } from '../../frame/as.ts'
import type { Source } from '../../frame/source.ts'
import type { SubjectResult } from '../../frame/subject.ts'
import { type Change, Changes, type Diff, type VersionCheck, versionCheck } from '../../policy/diff/change.ts'
import {
  asObject,
  byKind,
  type Comparison,
  compareLists,
  compareMembers,
  type Members,
  type Pair,
  report,
  within,
} from '../../policy/diff/members.ts'
import { compareCalls, comparePermissions } from '../../policy/diff/permissions.ts'
import {
  attestationType,
  authenticationType,
  bound,
  choice,
  cipherStrength,
  compareSchema,
  obligations,
  protection,
  strength,
  tlsStrength,
  trusted,
} from '../../policy/diff/protections.ts'
import { visible } from '../../text/hidden.ts'
import { isText, type PlacedValue, textIn } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import { permissionsOf, readTools, refusalOf, sunsetOf } from '../agent-policy.ts'
import { SENSITIVITIES } from '../places.ts'
import { createProfiles } from '../profiles/registry.ts'
import { ADL_READING, type Agent } from '../subject.ts'

export declare namespace diff {
  type Result = Diff
}

/**
 * The differences in meaning between an old and a new definition of an agent: changes of its members, and every grant
 * that became wider or narrower. A widening is breaking, and so is any change that cannot be proven harmless. The
 * lifecycle status of both is disregarded (ADL 5.6).
 *
 * @example
 * diff('{"permissions": {"network": {"allowed_hosts": ["a.example"]}}}',
 *      '{"permissions": {"network": {"allowed_hosts": ["*.example"]}}}').changes[0]
 * // { kind: 'widened', area: 'permissions', pointer: '/permissions/network/allowed_hosts/0', document: 'new',
 * //   detail: "lets the agent connect to '*.example'", breaking: true, bump: 'major' }
 *
 * @throws {TypeError} for invalid arguments. An unreadable document does not throw: it is a breaking change, and
 * `diagnostics` has the reason.
 */
export function diff(before: Source, after: Source): Diff {
  const [old, now] = [readAs(ADL_READING, before), readAs(ADL_READING, after)]
  return { changes: changesOf(old, now), diagnostics: [...old.diagnostics, ...now.diagnostics] }
}

/** The changes between two definitions, either of which may be unreadable. */
function changesOf(before: SubjectResult<Agent>, after: SubjectResult<Agent>): readonly Change[] {
  const [old, now] = [before.subject, after.subject]
  const changes = new Changes('document')
  const why = ({ diagnostics }: SubjectResult<Agent>) => `cannot be read: ${whyUnreadable(diagnostics)}`
  if (old === undefined) changes.inOld('changed', 'major', '', why(before))
  if (now === undefined) changes.inNew('changed', 'major', '', why(after))
  if (old === undefined || now === undefined) return changes.list
  compareRefusals(old, now, changes.area('lifecycle'))
  comparePermissions(permissionsOf(old), permissionsOf(now), changes.area('permissions'))
  compareNamed(old, now, changes)
  compareMembers(old.root, now.root, ROOT, ofProfile, changes)
  return changes.list
}

/** Compares the period in which a definition permits anything at all. Signatures are compared as members. */
function compareRefusals(before: Agent, after: Agent, changes: Changes): void {
  const [old, now] = [before, after].map((agent) => refusalOf(agent, { verdict: 'verified' })) as [Refused, Refused]
  if (old && !now) changes.inOld('widened', 'major', old.pointer, `permitted nothing: ${old.detail}`)
  if (now && !old) changes.inNew('narrowed', 'minor', now.pointer, `permits nothing any more: ${now.detail}`)
  if (old || now) return
  const [from, to] = [sunsetOf(before), sunsetOf(after)]
  const [end, newEnd] = [from?.time ?? Number.POSITIVE_INFINITY, to?.time ?? Number.POSITIVE_INFINITY]
  if (to === undefined && from !== undefined) {
    changes.inOld('widened', 'major', from.refusal.pointer, 'no longer ends with this date')
  } else if (to !== undefined && newEnd !== end) {
    const [kind, bump] = newEnd < end ? (['narrowed', 'minor'] as const) : (['widened', 'major'] as const)
    changes.inNew(kind, bump, to.refusal.pointer, `ends ${newEnd < end ? 'earlier' : 'later'} than before`)
  }
}

type Refused = ReturnType<typeof refusalOf>

export declare namespace checkVersion {
  type Result = VersionCheck
}

/**
 * Checks that the `version` of a new definition reflects how much it changed. While the major version is 0, a breaking
 * change only requires the minor version to move, because there is no stable interface to break (SemVer 2.0.0, item 4).
 *
 * @example
 * checkVersion('{"version": "1.2.0", "name": "A"}', '{"version": "1.2.0", "name": "B"}')
 * // { from: '1.2.0', to: '1.2.0', moved: undefined, needed: 'patch', enough: false, diagnostics: [] }
 *
 * @throws {TypeError} for invalid arguments.
 */
export function checkVersion(before: Source, after: Source): VersionCheck {
  const [old, now] = [readAs(ADL_READING, before), readAs(ADL_READING, after)]
  const [from, to] = [old, now].map(({ subject }) => textIn(subject?.root, 'version'))
  return versionCheck(from, to, { changes: changesOf(old, now), diagnostics: [...old.diagnostics, ...now.diagnostics] })
}

// The bumps for changes of the members of a definition, of its classification, and of what profiles add.

const LEVELS: readonly unknown[] = SENSITIVITIES

/** A lower level protects less than before. An unknown level can't be shown to protect as much. */
function compareSensitivity(pair: Pair, changes: Changes): void {
  const { before, after } = pair
  const level = (of: PlacedValue<unknown> | undefined) => LEVELS.indexOf(of?.value)
  const words = `sensitivity: ${levelWords(before)} before, ${levelWords(after)} now`
  const isOdd = [before, after].some((side) => side !== undefined && level(side) < 0)
  if (isOdd) report(pair, 'major', 'sensitivity', changes)
  else if (after === undefined) changes.inOld('widened', 'major', before!.pointer, words)
  else if (level(after) < level(before)) changes.inNew('widened', 'major', after.pointer, words)
  else changes.inNew('narrowed', 'minor', after.pointer, words)
}

const levelWords = (of: PlacedValue<unknown> | undefined) => (isText(of?.value) ? quoted(of.value) : 'none')

const HANDLING: Members = Object.fromEntries(
  ['encryption_required', 'anonymization_required', 'cross_border_restricted', 'logging_required'].map((name) => [
    name,
    protection(name),
  ]),
)

const RETENTION: Members = {
  min_days: bound('min_days', 'least'),
  max_days: bound('max_days', 'most'),
  policy_uri: trusted('policy_uri'),
}

/** The members that describe data, of the agent or of a tool. */
const MEMBERS: Members = {
  sensitivity: compareSensitivity,
  categories: obligations('categories', 'is no longer classified as', 'is classified as'),
  retention: within('retention', RETENTION, 'minor'),
  handling: within('handling', HANDLING, 'minor'),
}

const compareClassification: Comparison = (pair, changes, name) =>
  within('data_classification', MEMBERS, ofProfile)(pair, changes.area('classification'), name)

/** Profiles make demands, so one profile less means less protection. */
const compareProfiles: Comparison = (pair, changes, name) => {
  const profiles = createProfiles()
  const identifier = (declared: string) => profiles.find(declared)?.identifier ?? declared
  obligations(
    'profiles',
    'no longer follows the profile',
    'follows the profile',
    'minor',
    identifier,
  )(pair, changes, name)
}

/**
 * Compares a member that ADL does not define, and the members inside it. Which members of a profile protect is unknown
 * here. So only new members, and flags that change from false to true, are shown to protect no less.
 */
const ofProfile: Comparison = (pair, changes, name) => {
  const [before, after] = [asObject(pair.before), asObject(pair.after)]
  const flags = [pair.before, pair.after].every((side) => typeof side?.value === 'boolean')
  if (pair.before === undefined) report(pair, 'minor', name, changes)
  else if (before && after) compareMembers(before, after, {}, ofProfile, changes)
  else (flags ? protection : trusted)(visible(name))(pair, changes, name)
}

/**
 * A change of status gets its bump by name alone; lifecycle.ts compares what it permits. Retiring an agent breaks its
 * users.
 */
function compareStatus(pair: Pair, changes: Changes): void {
  report(pair, pair.after?.value === 'retired' ? 'major' : 'minor', 'status', changes)
}

const LIFECYCLE: Members = { status: compareStatus, effective_date: 'patch', sunset_date: 'patch', successor: 'patch' }

/** The members that trust is based on: a new identity must be trusted again. */
const IDENTITY: Members = {
  did: byKind('did', 'minor', 'major', 'major'),
  public_key: byKind('public_key', 'minor', 'major', 'major'),
}

const PROVIDER: Members = { name: 'major', url: 'major', contact: 'patch' }

const AUTHENTICATION: Members = {
  type: authenticationType,
  required: protection('required', true),
  scopes: obligations('scopes', 'no longer demands', 'demands', 'major'),
  token_endpoint: trusted('token_endpoint'),
  issuer: trusted('issuer'),
  audience: trusted('audience'),
}
const IN_TRANSIT: Members = {
  required: protection('required'),
  min_version: strength('min_version', tlsStrength),
}
const AT_REST: Members = { required: protection('required'), algorithm: strength('algorithm', cipherStrength) }
const ENCRYPTION: Members = {
  in_transit: within('in_transit', IN_TRANSIT, 'minor'),
  at_rest: within('at_rest', AT_REST, 'minor'),
}
const ATTESTATION: Members = {
  type: attestationType,
  issuer: trusted('issuer'),
  expires_at: byKind('expires_at', 'minor', 'patch', 'major'),
  signature: byKind('signature', 'patch', 'patch', 'major'),
}

const SECURITY: Members = {
  authentication: within('authentication', AUTHENTICATION, 'minor'),
  encryption: within('encryption', ENCRYPTION, 'minor'),
  attestation: within('attestation', ATTESTATION, 'patch'),
}

const SANITIZATION: Members = {
  enabled: protection('enabled'),
  strip_html: protection('strip_html'),
  max_input_length: bound('max_input_length', 'most'),
}
const INPUT: Members = {
  max_input_length: bound('max_input_length', 'most'),
  content_types: choice('content_types'),
  sanitization: within('sanitization', SANITIZATION, 'minor'),
}
const INVOCATION: Members = {
  max_concurrent: bound('max_concurrent', 'most'),
  timeout_ms: bound('timeout_ms', 'most'),
  retry_policy: within('retry_policy', { max_retries: bound('max_retries', 'most') }, 'minor'),
}

const RUNTIME: Members = {
  input_handling: within('input_handling', INPUT, 'minor'),
  output_handling: within('output_handling', { max_output_length: bound('max_output_length', 'most') }, 'minor'),
  tool_invocation: within('tool_invocation', INVOCATION, 'minor'),
  error_handling: within('error_handling', { max_retries: bound('max_retries', 'most') }, 'minor'),
}

/** permissions.ts compares what a domain grants. Here only unknown members of a domain are compared. */
const besideGrants: Comparison = ({ before, after }, changes) =>
  compareMembers(asObject(before), asObject(after), {}, () => {}, changes)

const DOMAINS: Members = {
  network: besideGrants,
  filesystem: besideGrants,
  environment: besideGrants,
  execution: besideGrants,
  resource_limits: besideGrants,
}

/** Reports the changes of a part under the area of its name. */
const area =
  (name: string, compare: Comparison): Comparison =>
  (pair, changes, member) =>
    compare(pair, changes.area(name), member)

/** The root members. Undefined for members that are compared elsewhere, or that the comparison is based on. */
const ROOT: Members = {
  tools: undefined,
  resources: undefined,
  prompts: undefined,
  version: undefined,
  $schema: 'patch',
  adl_spec: 'patch',
  name: 'patch',
  description: 'patch',
  metadata: 'patch',
  id: byKind('id', 'minor', 'major', 'major'),
  model: 'minor',
  system_prompt: 'minor',
  profiles: compareProfiles,
  data_classification: compareClassification,
  lifecycle: area('lifecycle', within('lifecycle', LIFECYCLE, 'minor')),
  provider: area('identity', within('provider', PROVIDER, 'minor')),
  cryptographic_identity: area('identity', within('cryptographic_identity', IDENTITY, 'minor')),
  security: area('security', within('security', SECURITY, 'minor')),
  permissions: area('permissions', within('permissions', DOMAINS, ofProfile)),
  runtime: area('runtime', within('runtime', RUNTIME, 'minor')),
}

const TOOL: Members = {
  description: 'patch',
  parameters: compareSchema('parameters', 'input'),
  returns: compareSchema('returns', 'output'),
  examples: 'patch',
  annotations: 'patch',
  // compareCalls handles it: its meaning depends on the other tools.
  requires_confirmation: undefined,
  read_only: protection('read_only'),
  idempotent: byKind('idempotent', 'minor', 'major', 'major'),
  data_classification: compareClassification,
}

const RESOURCE: Members = {
  description: 'patch',
  type: 'major',
  uri: 'major',
  mime_types: 'minor',
  schema: compareSchema('schema', 'output'),
  annotations: 'patch',
  data_classification: compareClassification,
}

const PROMPT: Members = {
  description: 'patch',
  template: 'minor',
  arguments: compareSchema('arguments', 'input'),
}

/** Compares tools, resources and prompts, which are identified by their names. */
function compareNamed(before: Agent, after: Agent, changes: Changes): void {
  compareCalls(readTools(before), readTools(after), changes.area('tools'))
  compareLists('tool', before.tools, after.tools, TOOL, changes.area('tools'))
  compareLists('resource', before.resources, after.resources, RESOURCE, changes.area('resources'))
  compareLists('prompt', before.prompts, after.prompts, PROMPT, changes.area('prompts'))
}
