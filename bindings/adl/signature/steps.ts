import type { Steps } from '../../frame/steps.ts'

/** Every step of verification: its title and the section that requires it. */
export const STEPS = {
  document: ['The document can be read', 'ADL 4.1'],
  'canonical-form': ['Canonical form without the signature', 'ADL 10.3, RFC 8785'],
  algorithm: ['Algorithm', 'ADL 10.3'],
  digest: ['Digest', 'ADL 10.3'],
  key: ['Where the key comes from', 'ADL 10.3'],
  strength: ['Strength of the key', 'ADL 6.3'],
  signature: ['Signature', 'ADL 18.1'],
  issued: ['Date of issue', 'ADL 10.3'],
  expiry: ['Date of expiry', 'ADL 10.3'],
  attestation: ['Kind of attestation', 'ADL 10.3'],
  id: ['Identifier', 'ADL 17.3'],
  provider: ['Provider', 'ADL 18.11'],
  identity: ['What the key shows', 'ADL 18.11'],
} as const

export type StepName = keyof typeof STEPS

export type AdlSteps = Steps<StepName>
