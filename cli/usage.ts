/** A command line that cannot be run as it stands. */
export class UsageError extends Error {
  /** Stable: `unknown-option`. */
  readonly code: string
  /** What to do instead. */
  readonly hint: string

  constructor(code: string, message: string, hint: string) {
    super(message)
    this.code = code
    this.hint = hint
  }
}
