// What changes of the other members of a definition mean.
import type { Changes } from './change.ts'
import { compareClassification } from './classification.ts'
import { byKind, type Comparison, type Members, type Pair, protection, report, within } from './members.ts'

/** What a status permits is looked at in lifecycle.ts; to retire breaks who uses the agent. */
function compareStatus(pair: Pair, changes: Changes): void {
  report(pair, pair.after?.value === 'retired' ? 'major' : 'minor', 'status', changes)
}

const LIFECYCLE: Members = { status: compareStatus, effective_date: 'patch', sunset_date: 'patch', successor: 'patch' }

/** Whom one trusts: another one has to be trusted anew. */
const IDENTITY: Members = {
  did: byKind('did', 'minor', 'major', 'major'),
  public_key: byKind('public_key', 'minor', 'major', 'major'),
}

const PROVIDER: Members = { name: 'major', url: 'major', contact: 'patch' }

const AUTHENTICATION: Members = {
  type: (pair, changes) => {
    const open = pair.after === undefined || pair.after.value === 'none'
    if (!open) return report(pair, 'minor', 'type', changes)
    const place = pair.after ?? pair.before!
    changes[pair.after === undefined ? 'inOld' : 'inNew'](
      'widened',
      'major',
      place.pointer,
      'asks for no authentication',
    )
  },
  required: protection('required'),
}
const ENCRYPTION: Members = {
  in_transit: within('in_transit', { required: protection('required') }, 'minor'),
  at_rest: within('at_rest', { required: protection('required') }, 'minor'),
}
const ATTESTATION: Members = { signature: byKind('signature', 'patch', 'patch', 'major') }

const SECURITY: Members = {
  authentication: within('authentication', AUTHENTICATION, 'minor'),
  encryption: within('encryption', ENCRYPTION, 'minor'),
  attestation: within('attestation', ATTESTATION, 'patch'),
}

/** A change of a part is a change in the area of its name. */
const area =
  (name: string, compare: Comparison): Comparison =>
  (pair, changes) =>
    compare(pair, changes.area(name))

/** Members that are compared elsewhere, or are what all this is held against, are no changes here. */
export const ROOT: Members = {
  tools: undefined,
  resources: undefined,
  prompts: undefined,
  permissions: undefined,
  version: undefined,
  $schema: 'patch',
  adl_spec: 'patch',
  name: 'patch',
  description: 'patch',
  metadata: 'patch',
  id: byKind('id', 'minor', 'major', 'major'),
  profiles: byKind('profiles', 'minor', 'minor', 'major'),
  data_classification: compareClassification,
  lifecycle: area('lifecycle', within('lifecycle', LIFECYCLE, 'minor')),
  provider: area('identity', within('provider', PROVIDER, 'minor')),
  cryptographic_identity: area('identity', within('cryptographic_identity', IDENTITY, 'minor')),
  security: area('security', within('security', SECURITY, 'minor')),
}
