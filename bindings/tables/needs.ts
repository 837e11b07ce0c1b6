// Written by scripts/specifications.mjs from bindings/specifications.ts; do not edit.

export const NEEDS = {
  adl: {
    'expect-provider': { takes: 'text', value: 'DOMAIN', about: 'the expected domain of the provider' },
    inventory: { takes: 'file', compares: 'record', about: 'report differences from the approved version' },
  },
  run: {
    certificate: { takes: 'file', about: "for runs: the agent's certificate" },
    chain: { takes: 'files', about: 'for runs: authorities between it and the anchor' },
    anchor: { takes: 'files', about: 'for runs: the authorities that you trust' },
    environment: { takes: 'text', about: 'for runs: the environment of the certificate' },
    audience: { takes: 'text', about: 'for runs: the audience of the certificate' },
    lenient: { about: 'for runs: accept extensions with raw text, with a warning' },
  },
  stream: {
    certificate: { takes: 'file', about: "for runs: the agent's certificate" },
    chain: { takes: 'files', about: 'for runs: authorities between it and the anchor' },
    anchor: { takes: 'files', about: 'for runs: the authorities that you trust' },
    environment: { takes: 'text', about: 'for runs: the environment of the certificate' },
    audience: { takes: 'text', about: 'for runs: the audience of the certificate' },
    lenient: { about: 'for runs: accept extensions with raw text, with a warning' },
    checkpoints: {
      takes: 'file',
      beside: '.checkpoints',
      about: 'for streams: its checkpoints (default: those next to it)',
    },
    values: { takes: 'file', beside: '.salts', about: 'for streams: values to compare (default: those next to it)' },
    policy: { takes: 'file', about: 'for streams: trusted logs and witnesses (C2SP)' },
    since: { takes: 'file', about: 'for streams: earlier checkpoints, which they must continue' },
    partial: { about: 'for streams: say which lines are verified, if not all are' },
    line: { takes: 'file', about: 'for a .tlog-proof: the line that it proves' },
  },
  trace: { anchors: { takes: 'file', about: 'for traces: DS records to trust instead of those of the root' } },
  container: {
    secret: { takes: 'secret', variable: 'BLAZON_AGENT_SECRET', about: 'the secret of the prompts' },
    source: { takes: 'folder', compares: 'source', about: 'for containers: build this folder again, and compare' },
    index: {
      takes: 'file',
      variable: 'BLAZON_INDEX',
      compares: 'source',
      about: 'with --source: the index of the build',
    },
  },
  card: {
    keys: { takes: 'document', about: 'for cards: the known keys of agents' },
    'self-asserted': { about: 'for cards: accept the did:key of the card, which proves no identity' },
  },
} as const
