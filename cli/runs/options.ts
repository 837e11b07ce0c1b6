import type { Options } from '../options.ts'

/** Options of `blazon verify` for run records and streams. */
export const RUN_OPTIONS = {
  certificate: { value: 'FILE', about: "for runs: the agent's certificate" },
  chain: { value: 'FILE', many: true, about: 'for runs: authorities between it and the anchor' },
  anchor: { value: 'FILE', many: true, about: 'for runs: the authorities that you trust' },
  environment: { value: 'NAME', about: 'for runs: the environment of the certificate' },
  audience: { value: 'NAME', about: 'for runs: the audience of the certificate' },
  lenient: { about: 'for runs: accept extensions with raw text, with a warning' },
  values: { value: 'FILE', about: 'for streams: values to compare (default: those next to it)' },
  policy: { value: 'FILE', about: 'for streams: trusted logs and witnesses (C2SP)' },
  since: { value: 'FILE', about: 'for streams: earlier checkpoints, which they must continue' },
  partial: { about: 'for streams: say which lines are verified, if not all are' },
  line: { value: 'FILE', about: 'for a .tlog-proof: the line that it proves' },
} as const satisfies Options
