/**
 * The reason why a value has no canonical form, found during the walk. bindings/core/value-faults.ts has the words.
 * @module
 */
import type { ValueReason } from './value-faults.ts'

/** Thrown inside of the walk only; not an Error, because nobody reads its stack. */
export class Refusal {
  readonly reason: ValueReason
  /** The offending value where the reason does not tell it: `NaN`, `Map`; or the limit that was reached. */
  readonly what: string
  /** The container that was met again, or the error that reading ended with. */
  readonly about: unknown

  constructor(reason: ValueReason, what = '', about?: unknown) {
    this.reason = reason
    this.what = what
    this.about = about
  }
}
