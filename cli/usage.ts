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
