import type { Agent } from '../adl/subject.ts'
import type { FindingKind } from '../document/finding.ts'
import type { Document } from '../document/parse.ts'
import { isUri } from '../schema/formats.ts'
import { type PlacedObject, textMember } from '../text/members.ts'
import { CONVERT_NEEDED } from './findings.ts'
import type { ConvertOptions } from './formats.ts'
import type { MutableObject } from './json.ts'
import type { Baggage, Ledger } from './ledger.ts'

/** One conversion: its input, and the ledger of its outcome. */
export interface Job {
  readonly document: Document
  /** The root of the document or of a copy: carried members may be merged into the result. */
  readonly root: PlacedObject
  readonly options: ConvertOptions
  readonly ledger: Ledger
  readonly problems: Problems
  /** True if the result is only a step to another format: required members may then be absent. */
  readonly passing?: boolean
}

export type Converter = (job: Job) => Product

export interface ExportJob extends Job {
  readonly agent: Agent
}

/** The result of a converter. */
export interface Product {
  readonly document: MutableObject
  readonly baggage: Baggage
}

/** Reads a string that is present and not empty. */
export function textOf(of: PlacedObject | undefined, name: string): string | undefined {
  const text = textMember(of, name)?.value
  return text === '' ? undefined : text
}

/** Reads a string that is a URI (ADL 18.7); other strings are kept with the format's own members. */
export function uriOf(of: PlacedObject | undefined, name: string): string | undefined {
  const text = textOf(of, name)
  return text !== undefined && isUri(text) ? text : undefined
}

/** Reads the caller's URL of the agent. */
export function addressOf({ options: { url }, problems }: Job): string | undefined {
  if (url !== undefined && !/^https?:\/\/\S+$/.test(url)) {
    problems.report(CONVERT_NEEDED, '', 'the option url must be an http or https URL')
  }
  return url
}

/** Moves a text that the target requires. */
export function moveNeeded(
  { ledger, problems }: Job,
  of: PlacedObject,
  name: string,
  into: MutableObject,
  target: string,
  as = name,
): void {
  const text = textOf(of, name)
  if (text === undefined)
    problems.report(CONVERT_NEEDED, of.pointer, `expected a non-empty ${name}: the target requires it`)
  else {
    into[as] = text
    ledger.moved(`${of.pointer}/${name}`, target)
  }
}

/** Moves a text if it is present; without a ledger nothing is reported. */
export function moveText(
  ledger: Ledger | undefined,
  from: PlacedObject,
  name: string,
  into: MutableObject,
  at: string,
  as = name,
): void {
  const text = textOf(from, name)
  if (text === undefined) return
  into[as] = text
  ledger?.moved(`${from.pointer}/${name}`, `${at}/${as}`)
}

// The findings of conversions, in addition to those of reading.

/** A fault of one conversion. */
export interface Problem {
  readonly rule: FindingKind
  /** JSON Pointer into the source document. */
  readonly pointer: string
  readonly detail: string
}

/** Collects the problems of a conversion. */
export class Problems {
  readonly found: Problem[] = []

  get fatal(): boolean {
    return this.found.some(({ rule }) => rule.severity === 'error')
  }

  report(rule: FindingKind, pointer: string, detail: string): void {
    this.found.push({ rule, pointer, detail })
  }
}

/** Nobody would read more. */
