// What YAML can hold that a document cannot, in words. Codes of the JSON reader serve where the fault is the same.
import type { FindingKind } from '../diagnose.ts'
import { FAULTS } from '../json-faults.ts'
import type { Fix } from '../types.ts'

const YAML = 'YAML 1.2.2'

function kind(code: string, rule: string, title: string, section: string): FindingKind {
  return { code, rule: `yaml/${rule}`, title, spec: `${YAML} section ${section}`, severity: 'error' }
}

function ofJson(number: number): FindingKind {
  const { code, rule, title, spec } = FAULTS[number]!
  return { code, rule, title, spec, severity: 'error' }
}

export const SYNTAX = kind('DOC-190', 'syntax', 'Not YAML', '5')
export const ONE_DOCUMENT = kind('DOC-191', 'one-document', 'Not one document', '9.2')
export const VERSION = kind('DOC-192', 'version', 'Another version of YAML', '6.8.1')
export const CONTROL_CHARACTER = kind('DOC-193', 'control-character', 'Control character in YAML', '5.1')
export const NAME = kind('DOC-194', 'name', 'Name that is no string', '3.2.1.1')
export const MERGE_KEY = kind('DOC-195', 'merge-key', 'Merge key', '10.3')
export const TAG = kind('DOC-196', 'tag', 'Tag that JSON has no value for', '10.3')
export const ALIAS = kind('DOC-197', 'alias', 'Alias that stands for nothing', '7.1')
export const EXPANSION = kind('DOC-198', 'expansion', 'Aliases that stand for too much', '7.1')
export const NOT_FINITE = kind('DOC-199', 'not-finite', 'Number that is not finite', '10.3.2')

export const DUPLICATE = ofJson(-16)
export const OVERFLOW = ofJson(-21)
export const DEPTH = ofJson(-22)

interface More {
  readonly pointer?: string
  readonly fix?: Fix
  /** Where the first of two equal names stands. */
  readonly first?: number
}

/** Why YAML is refused, thrown where it is noticed; no Error, for nobody reads its stack. Offsets count UTF-16 units. */
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

  /** The same fault with what it concerns. */
  at(pointer: string): YamlFault {
    return new YamlFault(this.kind, [this.start, this.end], this.detail, { ...this.more, pointer })
  }
}
