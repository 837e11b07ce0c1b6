import type { Document } from '../document/document.ts'
import type { Bounds } from '../kinds.ts'
import type { Listener, Words } from './explain.ts'
import type { Findings } from './findings.ts'
import type { Rule, RuleKind } from './rule.ts'
import type { RuleOptions, RuleSettings } from './rule-settings.ts'
import type { Shape } from './shape.ts'
import type { Reading } from './subject.ts'

/** A value of a document and its shape. */
export interface Shaped {
  readonly shape: Shape
  readonly value: unknown
  readonly pointer: string
}

/**
 * All that is particular to one kind of document. The frame does the rest: reads, checks, explains, signs and verifies, for
 * every kind in the same way.
 */
export interface Specification<Subject = unknown, Settings extends RuleSettings = RuleSettings>
  extends Reading<Subject> {
  /** The vocabulary of its findings. */
  readonly words: Words
  /** The options, checked, with defaults for absent ones. */
  settings(options: RuleOptions): Settings
  /** Bounds that a caller sets in place of those of kinds.ts. */
  bounds?(options: RuleOptions): Bounds | undefined
  /** True when the document passes on to shapes and rules. The gate reports its refusal. */
  gate?(subject: Subject, findings: Findings, settings: Settings): boolean
  /** Schemas, and the places in the document where they hold. */
  shapes(subject: Subject): readonly Shaped[]
  /** Tells the findings of shapes; when absent, by the schema's rules, and no member counts as undefined. */
  listener?(subject: Subject, findings: Findings, settings: Settings): Partial<Listener>
  readonly rules: readonly Rule<Subject>[]
  /** Everything else that checking reports; made when somebody asks. */
  findings(options?: RuleOptions): readonly RuleKind[]
  /** Ids and codes that its other verbs report, so that a caller can name them in `rules` without loading the rows. */
  readonly otherNames?: readonly string[]
  /** Checks everything that neither shapes nor rules do. */
  check?(subject: Subject, findings: Findings, settings: Settings): void
  /** True when the document may be edited: an edit makes its signature invalid. Any may be when absent. */
  isEditable?(document: Document): boolean
}

/** Everything that checking by a specification can report; one row may stand in it twice. */
export function everyFinding(
  { rootObject, words, rules, findings }: Specification,
  options?: RuleOptions,
): readonly RuleKind[] {
  return [rootObject, ...words.rules.values(), ...rules, ...findings(options)]
}
