/**
 * Why a value has no canonical form, as found during the walk. bindings/core/value-faults.ts has the words.
 * @module
 */
import type { ValueReason } from './value-faults.ts'

/** Thrown only within the walk; not an Error, because nobody reads its stack. */
export class Refusal {
  readonly reason: ValueReason
  /** The offending value where the reason does not show it: `NaN`, `Map`; or the limit that was reached. */
  readonly what: string
  /** The container that contains itself, or the error thrown when the value was read. */
  readonly about: unknown

  constructor(reason: ValueReason, what = '', about?: unknown) {
    this.reason = reason
    this.what = what
    this.about = about
  }
}
