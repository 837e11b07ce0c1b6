import { suggest } from '../bindings/text/suggest.ts'

/** A command line that cannot be run as it stands. */
export class UsageError extends Error {
  /** A stable name, such as `unknown-option`. */
  readonly code: string
  /** Advice on a way out. */
  readonly hint: string

  constructor(code: string, message: string, hint: string) {
    super(message)
    this.code = code
    this.hint = hint
  }
}

/** A hint with the name that was probably meant, or else another hint. */
export function nearestOr(otherwise: string, word: string | undefined, names: readonly string[]): string {
  const nearest = word === undefined ? undefined : suggest(word, names)
  return nearest === undefined ? otherwise : `did you mean ${nearest}?`
}
