import type { Steps } from '../frame/steps.ts'

/** Every step that verifying an A2A card can take, with its title and the section that requires it. */
export const STEPS = {
  document: ['The card can be read', 'A2A 1.0 section 4.4'],
  id: ['Identifier and provider', 'A2A 1.0 section 4.4'],
  'canonical-form': ['Canonical form without the signatures', 'A2A 1.0 section 8.4.1, RFC 8785'],
  signature: ['Signature', 'A2A 1.0 section 8.4.3'],
  key: ['Where the key comes from', 'A2A 1.0 section 8.4.3'],
  jku: ['Keys that the signer points at', 'A2A 1.0 section 8.4.3'],
  rules: ['Which rules the signer went by', 'A2A 1.0 section 8.4.1'],
  coverage: ['What the signature covers', 'A2A 1.0 section 8.4.1'],
} as const

export type A2aStep = keyof typeof STEPS

export type A2aSteps = Steps<A2aStep>
