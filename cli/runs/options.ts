import type { Options } from '../options.ts'

/** Options of `blazon verify` for run records and streams. */
export const RUN_OPTIONS = {
  certificate: { value: 'FILE', about: "for run records: the agent's certificate" },
  chain: { value: 'FILE', many: true, about: 'for run records: authorities between it and the anchor' },
  anchor: { value: 'FILE', many: true, about: 'for run records: the authorities that you trust' },
  environment: { value: 'NAME', about: 'for run records: the environment of the certificate' },
  audience: { value: 'NAME', about: 'for run records: the audience of the certificate' },
  lenient: { about: 'for run records: accept extensions with raw text, with a warning' },
  policy: { value: 'FILE', about: 'for streams: trusted logs and witnesses (C2SP)' },
  since: { value: 'FILE', about: 'for streams: an earlier checkpoint, which they must continue' },
} as const satisfies Options
