// Faults of YAML that JSON cannot represent, in words. Shares the JSON reader's codes where the fault is the same.
import { JSON_DEPTH, JSON_DUPLICATE, JSON_OVERFLOW } from '../../wasm/faults.ts'
import type { FindingKind } from '../finding.ts'
import { FAULTS } from '../json-faults.ts'
import type { Fix } from '../types.ts'

export const DUPLICATE: FindingKind = FAULTS[JSON_DUPLICATE]!
export const OVERFLOW: FindingKind = FAULTS[JSON_OVERFLOW]!
export const DEPTH: FindingKind = FAULTS[JSON_DEPTH]!

interface More {
  readonly pointer?: string
  readonly fix?: Fix
  /** The offset of the first of two equal names. */
  readonly first?: number
  /** What the fix removes. */
  readonly spare?: readonly [start: number, end: number] | undefined
}

/**
 * The reason to refuse YAML, thrown where it is detected. Not an Error, because nobody reads its stack. Offsets count
 * UTF-16 units.
 */
export class YamlFault {
  readonly kind: FindingKind
  readonly start: number
  readonly end: number
  readonly detail: string
  readonly more: More

  constructor(kind: FindingKind, [start, end]: readonly [number, number], detail: string, more: More = {}) {
    this.kind = kind
    this.start = start
    this.end = end
    this.detail = detail
    this.more = more
  }

  /** The same fault with the pointer of its value. */
  at(pointer: string): YamlFault {
    return new YamlFault(this.kind, [this.start, this.end], this.detail, { ...this.more, pointer })
  }
}
