import type { StepTable } from '../../frame/steps.ts'

/** Every step that a discovery can take. */
export const STEPS = {
  domain: ['The domain', 'ADP/1.1 section 2'],
  invitation: ['Invitation', 'ADP/1.1 section 8.3.1'],
  svcb: ['SVCB record', 'ADP/1.1 section 4.1'],
  txt: ['TXT record', 'ADP/1.1 section 5.1'],
  srv: ['SRV record', 'ADP/1.1 section 5.2'],
  fallback: ['The weaker way', 'ADP/1.1 section 5.3'],
  addresses: ['Addresses of the host', 'ADP/1.1 section 3'],
  tlsa: ['Certificate that the DNS names', 'ADP/1.1 section 4.2'],
  tls: ['TLS', 'ADP/1.1 section 8.2'],
  metadata: ['Metadata', 'ADP/1.1 section 6.1'],
  'media-type': ['Content type', 'ADP/1.1 section 6.2'],
  valid: ['The metadata is valid', 'ADP/1.1 section 6.3'],
  identity: ['The metadata is of this domain', 'ADP/1.1 section 6.3.2'],
  place: ['The metadata is of this place', 'ADP/1.1 section 6.3.3'],
  proof: ['Proof that the agent has the key', 'ADP/1.1 section 6.3.2'],
  key: ['Key that the DNS names', 'ADP/1.1 section 8.1.2'],
  'invited-key': ['Key that the invitation names', 'ADP/1.1 section 8.3.1'],
  claims: ['What it says of its DNS', 'ADP/1.1 section 6.3.6'],
  descriptor: ['Descriptor of what it can do', 'ADP/1.1 section 4.1.1'],
  chat: ['Endpoint to speak with', 'ADP/1.1 section 7.2.2'],
  level: ['Level of trust', 'ADP/1.1 section 8.1'],
} as const satisfies StepTable<string>

export type StepName = keyof typeof STEPS
