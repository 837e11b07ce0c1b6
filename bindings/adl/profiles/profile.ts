import type { Explanation, FindingKind } from '../../document/finding.ts'
import type { Report, RuleContext } from '../../frame/subject.ts'
import type { Fragment } from '../../schema/fragment.ts'
import type { CompiledSchema } from '../../schema/run.ts'
import { shown } from '../../text/words.ts'
import type { Agent } from '../subject.ts'

/**
 * A rule of a profile. It reports at the member that it is about; if that is missing, the finding goes to the
 * declaration in `profiles` (ADL 16.3). A rule needs no check of its own if `members` name it in `x-rule`. The
 * explanation is for readers of the source.
 */
export interface ProfileRule extends FindingKind, Partial<Explanation> {
  check?(agent: Agent, report: Report, context: RuleContext): void
}

/** The checks of rules by rule id, in addition to what `members` check. */
export type Checks = Readonly<Record<string, NonNullable<ProfileRule['check']>>>

/** Compiled schemas that use more than the describing keywords. */
export type ProfileRest = ReadonlyMap<Fragment, CompiledSchema>

/** A profile of ADL: the registration template of ADL 17.2, with the members and rules that it adds to documents. */
export interface Profile {
  /** A URI (RFC 3986). */
  readonly identifier: string
  /** `ADL Governance Profile`; documents may declare the profile by this name. */
  readonly name: string
  /** A shorter name: `governance`. */
  readonly shortName?: string
  /** MAJOR.MINOR.PATCH. */
  readonly version: string
  /** The address of the profile's specification. */
  readonly specification: string
  /** The supported versions of ADL, with `x` for any number: `0.1.x`, or several separated by commas. */
  readonly compatibility: string
  readonly contact: { readonly name: string; readonly email?: string }
  readonly status: 'active' | 'deprecated'
  /** Members that it adds to the document. */
  readonly members: Readonly<Record<string, Fragment>>
  readonly required: readonly string[]
  /** Members that it adds to each `data_classification`. The document's own must have the required ones. */
  readonly classification: Readonly<Record<string, Fragment>>
  readonly requiredClassification: readonly string[]
  /** Values that it adds to `data_classification.categories`. */
  readonly categories: readonly string[]
  readonly rules: readonly ProfileRule[]
  /** @internal The schemas that must be checked as a whole. */
  readonly rest?: ProfileRest
}

/** The argument of `registerProfile`: every field of the template of ADL 17.2, and the profile's members and rules. */
export type ProfileTemplate = Pick<
  Profile,
  'identifier' | 'name' | 'version' | 'specification' | 'compatibility' | 'status'
> & { readonly contact: Required<Profile['contact']> } & Partial<Omit<Profile, 'contact' | 'rest'>>

/** Words for the value found instead of a required one, to append to the requirement; empty if there is no value. */
export const foundIn = (value: unknown): string => (value === undefined ? '' : `, found ${shown(value)}`)
