/** The exit codes, as docs/reference/cli.md lists them. */
export const EXIT = { clean: 0, findings: 1, usage: 2, unreadable: 3, unverified: 4, internal: 5 } as const

/** The meaning of each code, in their order. */
export const EXIT_WORDS = [
  'clean',
  'findings',
  'wrong usage',
  'cannot read',
  'signature not valid',
  'internal error',
] as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** Most severe first: when several codes apply, the first of these is reported. */
const BY_WEIGHT: readonly ExitCode[] = [EXIT.internal, EXIT.usage, EXIT.unreadable, EXIT.unverified, EXIT.findings]

/** Other codes are those of a command that this one ran. */
export function worst(codes: readonly ExitCode[]): ExitCode {
  return (
    BY_WEIGHT.find((code) => codes.includes(code)) ??
    (codes.reduce<number>((most, code) => Math.max(most, code), EXIT.clean) as ExitCode)
  )
}
