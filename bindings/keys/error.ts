import type { Code } from './findings.ts'

/** A key, an algorithm or an encoding that cannot be used. An invalid signature is never an error. */
export class KeyError extends Error {
  override readonly name = 'KeyError'
  /** Stable: `KEY-104`. */
  readonly code: Code

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
