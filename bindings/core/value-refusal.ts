/**
 * Why a value has no canonical form, noticed while it is walked. bindings/document/value-faults.ts has the words.
 * @module
 */
import type { ValueReason } from '../document/value-faults.ts'

/** Thrown inside of the walk only; no Error, for nobody reads its stack. */
export class Refusal {
  readonly reason: ValueReason
  /** What came, where the reason does not tell: `NaN`, `Map`; the limit that was reached. */
  readonly what: string
  /** The container that was met, or the error that reading ended with. */
  readonly about: unknown

  constructor(reason: ValueReason, what = '', about?: unknown) {
    this.reason = reason
    this.what = what
    this.about = about
  }
}
