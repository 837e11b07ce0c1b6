import type { Document } from '../document/parse.ts'
import type { Bounds } from '../kinds.ts'
import type { Findings } from './collect.ts'
import type { Listener, Words } from './explain.ts'
import type { RuleOptions, RuleSettings } from './rule-settings.ts'
import type { Shape } from './shape.ts'
import type { Conformance } from './source.ts'
import type { Reading, Rule } from './subject.ts'

/** A value of a document with the shape that it must have. */
export interface ShapedValue {
  readonly shape: Shape
  readonly value: unknown
  readonly pointer: string
}

/**
 * Everything specific to one kind of document. The frame reads, checks, explains, signs and verifies every kind in the
 * same way.
 */
export interface Specification<Subject = unknown, Settings extends RuleSettings = RuleSettings>
  extends Reading<Subject> {
  /** The vocabulary of its findings. */
  readonly words: Words
  /** Validates the options and fills in the defaults. */
  settings(options: RuleOptions): Settings
  /** Limits from the caller that replace those of the row. */
  bounds?(options: RuleOptions): Bounds | undefined
  /** True when shapes and rules should be checked. Otherwise the gate has reported its refusal. */
  gate?(subject: Subject, findings: Findings, settings: Settings): boolean
  /** Shapes, and the values of the document that they apply to. */
  shapes(subject: Subject): readonly ShapedValue[]
  /** Handles faults of shapes; default: reports them by the schema's rules and accepts undefined members. */
  listener?(subject: Subject, findings: Findings, settings: Settings): Partial<Listener>
  readonly rules: readonly Rule<Subject>[]
  /** Ids and codes of all its findings, those of other verbs included: the names that `rules` may have. */
  names(options?: RuleOptions): readonly string[]
  /** Checks everything that neither shapes nor rules cover. */
  check?(subject: Subject, findings: Findings, settings: Settings): void
  /** Paths in its folder that the rules look for among the files of the document. */
  mentions?(document: Document): readonly string[]
  /** The level of conformance that the document shows. */
  conformance?(subject: Subject): Conformance | undefined
  /** True when fixes may edit the document: an edit would invalidate a signature. Default: always editable. */
  isEditable?(document: Document): boolean
}
