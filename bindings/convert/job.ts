import type { Agent } from '../adl/agent.ts'
import type { Document } from '../document/document.ts'
import { type PlacedObject, textMember } from '../document/members.ts'
import { isUri } from '../schema/formats.ts'
import type { Made } from './json.ts'
import type { Baggage, Ledger } from './ledger.ts'
import { NEEDED, type Problems } from './problems.ts'
import type { ConvertOptions } from './types.ts'

/** One conversion: what it reads, and where it writes what becomes of it. */
export interface Job {
  readonly document: Document
  /** Of the document, or of a copy of it: what is carried in it may be merged into what is made. */
  readonly root: PlacedObject
  readonly options: ConvertOptions
  readonly ledger: Ledger
  readonly problems: Problems
  /** What is made is only a step on the way to another format: what nobody says may be absent. */
  readonly passing?: boolean
}

export type Converter = (job: Job) => Product

export interface ExportJob extends Job {
  readonly agent: Agent
}

/** What a converter makes. */
export interface Product {
  readonly document: Made
  readonly baggage: Baggage
}

/** A text that is there and not empty. */
export function textOf(of: PlacedObject | undefined, name: string): string | undefined {
  const text = textMember(of, name)?.value
  return text === '' ? undefined : text
}

/** A text that is a URI (ADL 18.7): what is none is kept where other formats keep their own. */
export function uriOf(of: PlacedObject | undefined, name: string): string | undefined {
  const text = textOf(of, name)
  return text !== undefined && isUri(text) ? text : undefined
}

/** Where the agent is reached, as the caller says. */
export function addressOf({ options: { url }, problems }: Job): string | undefined {
  if (url !== undefined && !/^https?:\/\/\S+$/.test(url)) {
    problems.report(NEEDED, '', 'expected an http or https address as the option url')
  }
  return url
}

/** Takes a text over that the target cannot be without. */
export function moveNeeded(
  { ledger, problems }: Job,
  of: PlacedObject,
  name: string,
  into: Made,
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
