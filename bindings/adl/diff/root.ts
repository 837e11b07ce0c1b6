// The bumps for changes of the other members of a definition.
import type { Changes } from './change.ts'
import { compareClassification } from './classification.ts'
import {
  asObject,
  byKind,
  type Comparison,
  compareMembers,
  type Members,
  type Pair,
  report,
  within,
} from './members.ts'
import { compareProfiles, ofProfile } from './profiles.ts'
import {
  attestationType,
  authenticationType,
  bound,
  choice,
  obligations,
  protection,
  strength,
  trusted,
} from './protections.ts'
import { cipherStrength, tlsStrength } from './strength.ts'

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
export const ROOT: Members = {
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
