import type { Steps } from '../frame/steps.ts'

/** Every step that verifying a card can take, with its title and the section that requires it. */
export const STEPS = {
  document: ['The card can be read', 'Agent Card 3'],
  whole: ['The card is whole', 'Agent Card 4.1'],
  id: ['Identifier', 'Agent Card 3.1'],
  provider: ['Provider', 'Agent Card 3.3'],
  'canonical-form': ['Canonical form without the signature', 'Agent Card 3.2, RFC 8785'],
  seq: ['Sequence number', 'Agent Card 3.2'],
  'key-caller': ['Keys that the caller trusts', 'Agent Card 3.2'],
  'key-resolver': ['What the caller knows of the id', 'Agent Card 3.2'],
  'key-authority': ['The id as a key', 'Agent Card 3.2'],
  'key-ans': ['Agent Name System', 'Agent Card 3.2'],
  'key-did': ['The did of the card', 'Agent Card 3.3'],
  key: ['Where the key comes from', 'Agent Card 3.2'],
  signature: ['Signature', 'Agent Card 3.2'],
  did: ['Decentralized identifier', 'Agent Card 3.3'],
  identity: ['What the key shows', 'Agent Card 7.1'],
} as const

export type CardStep = keyof typeof STEPS

export type CardSteps = Steps<CardStep>
