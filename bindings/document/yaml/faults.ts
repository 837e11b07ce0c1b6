// Faults of YAML that JSON cannot represent, in words. Shares the JSON reader's codes where the fault is the same.
import { JSON_DEPTH, JSON_DUPLICATE, JSON_OVERFLOW } from '../../wasm/faults.ts'
import type { FindingKind } from '../finding.ts'
import { FAULTS } from '../json-faults.ts'
import type { Fix } from '../types.ts'

const severity = 'error'

export const SYNTAX: FindingKind = {
  id: 'yaml/syntax',
  code: 'DOC-190',
  title: 'Not YAML',
  section: 'YAML 1.2.2 section 5',
  severity,
}
export const ONE_DOCUMENT: FindingKind = {
  id: 'yaml/one-document',
  code: 'DOC-191',
  title: 'Not one document',
  section: 'YAML 1.2.2 section 9.2',
  severity,
}
export const VERSION: FindingKind = {
  id: 'yaml/version',
  code: 'DOC-192',
  title: 'Another version of YAML',
  section: 'YAML 1.2.2 section 6.8.1',
  severity,
}
export const CONTROL_CHARACTER: FindingKind = {
  id: 'yaml/control-character',
  code: 'DOC-193',
  title: 'Control character in YAML',
  section: 'YAML 1.2.2 section 5.1',
  severity,
}
export const NAME: FindingKind = {
  id: 'yaml/name',
  code: 'DOC-194',
  title: 'Name that is no string',
  section: 'YAML 1.2.2 section 3.2.1.1',
  severity,
}
export const MERGE_KEY: FindingKind = {
  id: 'yaml/merge-key',
  code: 'DOC-195',
  title: 'Merge key',
  section: 'YAML 1.2.2 section 10.3',
  severity,
}
export const TAG: FindingKind = {
  id: 'yaml/tag',
  code: 'DOC-196',
  title: 'Tag that JSON has no value for',
  section: 'YAML 1.2.2 section 10.3',
  severity,
}
export const ALIAS: FindingKind = {
  id: 'yaml/alias',
  code: 'DOC-197',
  title: 'Alias that stands for nothing',
  section: 'YAML 1.2.2 section 7.1',
  severity,
}
export const EXPANSION: FindingKind = {
  id: 'yaml/expansion',
  code: 'DOC-198',
  title: 'Aliases that stand for too much',
  section: 'YAML 1.2.2 section 7.1',
  severity,
}
export const NOT_FINITE: FindingKind = {
  id: 'yaml/not-finite',
  code: 'DOC-199',
  title: 'Number that is not finite',
  section: 'YAML 1.2.2 section 10.3.2',
  severity,
}

export const YAML_KINDS: readonly FindingKind[] = [
  SYNTAX,
  ONE_DOCUMENT,
  VERSION,
  CONTROL_CHARACTER,
  NAME,
  MERGE_KEY,
  TAG,
  ALIAS,
  EXPANSION,
  NOT_FINITE,
]

export const DUPLICATE: FindingKind = FAULTS[JSON_DUPLICATE]!
export const OVERFLOW: FindingKind = FAULTS[JSON_OVERFLOW]!
export const DEPTH: FindingKind = FAULTS[JSON_DEPTH]!

interface More {
  readonly pointer?: string
  readonly fix?: Fix
  /** The offset of the first of two equal names. */
  readonly first?: number
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
