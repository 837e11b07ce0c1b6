import type { Expectation } from '../../frame/expected.ts'
import { didWebUrl } from '../../keys/did.ts'
import { KeyError } from '../../keys/error.ts'
import { textMember } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import type { Agent } from '../agent.ts'
import { IDENTITY_EXPECTED, IDENTITY_UNPROVEN } from '../findings.ts'
import type { KeySet } from './keys.ts'
import type { AdlSteps } from './steps.ts'

const isUrn = (id: string) => /^urn:/i.test(id)

/** The host that an identifier claims: that of an HTTPS URI or a did:web. A URN claims none (ADL section 17.3). */
export function claimedHost(id: string | undefined): string | undefined {
  if (id === undefined) return undefined
  try {
    const url = new URL(id.startsWith('did:') ? didWebUrl(id) : id)
    return url.protocol === 'https:' ? url.host : undefined
  } catch (error) {
    if (error instanceof TypeError || error instanceof KeyError) return undefined
    throw error
  }
}

/** Checks that the agent and its provider are the expected ones, and then what the key proves at all. */
export function checkIdentity(agent: Agent, expected: Expectation, keys: KeySet | undefined, steps: AdlSteps): void {
  const id = textMember(agent.root, 'id')?.value
  if (expected.id === undefined) steps.skipped('id', 'no identifier is expected')
  else checkId(id, expected.id, steps)
  if (expected.provider === undefined) steps.skipped('provider', 'no provider is expected')
  else checkProvider(claimedHost(id), expected.provider.toLowerCase(), keys, steps)
  if (keys !== undefined) sayWhatTheKeyShows(claimedHost(id), keys, steps)
}

function checkId(id: string | undefined, expected: string, steps: AdlSteps): void {
  if (id !== expected) {
    const detail = `expected ${quoted(expected)}, found ${id === undefined ? 'no id' : quoted(id)}`
    steps.failed('id', detail, { rule: IDENTITY_EXPECTED, pointer: '/id' })
  } else if (isUrn(id)) steps.warning('id', `${quoted(id)} is expected, but a URN is a name that anybody can take`)
  else steps.passed('id', `${quoted(id)} is expected`)
}

function checkProvider(claimed: string | undefined, expected: string, keys: KeySet | undefined, steps: AdlSteps): void {
  const wrong = [claimed, keys?.host].find((host) => host !== undefined && host !== expected)
  if (wrong !== undefined) {
    const pointer = wrong === claimed ? '/id' : '/cryptographic_identity/did'
    steps.failed('provider', `expected ${quoted(expected)}, found ${quoted(wrong)}`, {
      rule: IDENTITY_EXPECTED,
      pointer,
    })
  } else if (keys?.origin === 'did:web') steps.passed('provider', `${expected} publishes the key`)
  else if (keys?.origin === 'pinned' && claimed !== undefined) {
    steps.passed('provider', `${expected}, by a key that the caller trusts`)
  } else {
    const remark = { rule: IDENTITY_UNPROVEN, pointer: '/id' }
    steps.unknown('provider', `nothing shows that this is of ${quoted(expected)}`, remark)
  }
}

const INTEGRITY_ONLY =
  'integrity only: the key comes with the document, so this shows that nothing was changed since, not who signed it'

function sayWhatTheKeyShows(
  claimed: string | undefined,
  { origin, host, addressChecked }: KeySet,
  steps: AdlSteps,
): void {
  const data = { trust: origin === 'pinned' || origin === 'did:web' ? origin : 'none' }
  const unchecked = addressChecked === true ? '' : '; its address was not checked by this host'
  if (origin === 'pinned') steps.passed('identity', 'signed with a key that the caller trusts', data)
  else if (origin !== 'did:web') steps.warning('identity', INTEGRITY_ONLY, undefined, data)
  else if (claimed !== undefined && claimed !== host) {
    const detail = `${host} publishes the key, but the id is one of ${claimed}${unchecked}`
    steps.warning('identity', detail, undefined, data)
  } else steps.passed('identity', `${host} publishes the key${unchecked}`, data)
}
