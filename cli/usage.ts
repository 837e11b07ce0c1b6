import { suggest } from '../bindings/text/words.ts'

/** An error in the command line. */
export class UsageError extends Error {
  /** A stable name, such as `unknown-option`. */
  readonly code: string
  /** What to do about it. */
  readonly hint: string

  constructor(code: string, message: string, hint: string) {
    super(message)
    this.code = code
    this.hint = hint
  }
}

/** Suggests the name that was probably meant, or else gives another hint. */
export function nearestOr(otherwise: string, word: string | undefined, names: readonly string[]): string {
  const nearest = word === undefined ? undefined : suggest(word, names)
  return nearest === undefined ? otherwise : `did you mean ${nearest}?`
}

type Given<Members> = { readonly [Name in keyof Members]?: Exclude<Members[Name], undefined> }

/** Omits undefined members, for options that are either absent or have a value. */
export function given<Members extends object>(members: Members): Given<Members> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Given<Members>
}

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
