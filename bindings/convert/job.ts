import type { Agent } from '../adl/agent.ts'
import type { Document } from '../document/document.ts'
import { isUri } from '../schema/formats.ts'
import { type PlacedObject, textMember } from '../text/members.ts'
import type { MutableObject } from './json.ts'
import type { Baggage, Ledger } from './ledger.ts'
import { NEEDED, type Problems } from './problems.ts'
import type { ConvertOptions } from './types.ts'

/** One conversion: its input, and the ledger of its outcome. */
export interface Job {
  readonly document: Document
  /** The root of the document or of a copy of it, since carried members may be merged into the result. */
  readonly root: PlacedObject
  readonly options: ConvertOptions
  readonly ledger: Ledger
  readonly problems: Problems
  /** True when the result is only a step towards another format: required members may then be absent. */
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

/** A text that is present and not empty. */
export function textOf(of: PlacedObject | undefined, name: string): string | undefined {
  const text = textMember(of, name)?.value
  return text === '' ? undefined : text
}

/** A text that is a URI (ADL 18.7); any other text is kept with the format's own members. */
export function uriOf(of: PlacedObject | undefined, name: string): string | undefined {
  const text = textOf(of, name)
  return text !== undefined && isUri(text) ? text : undefined
}

/** The address of the agent that the caller gives. */
export function addressOf({ options: { url }, problems }: Job): string | undefined {
  if (url !== undefined && !/^https?:\/\/\S+$/.test(url)) {
    problems.report(NEEDED, '', 'expected an http or https address as the option url')
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
  if (text === undefined) problems.report(NEEDED, of.pointer, `expected a non-empty ${name}: the target has to have it`)
  else {
    into[as] = text
    ledger.moved(`${of.pointer}/${name}`, target)
  }
}

/** Moves a text if there is one; without a ledger nothing is reported. */
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
