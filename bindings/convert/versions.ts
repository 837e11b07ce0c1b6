// Whether a document is of a version that the converters read.
import { A2A_READING } from '../a2a/subject.ts'
import { ADL_READING } from '../adl/subject.ts'
import type { Document } from '../document/parse.ts'
import type { Diagnostic } from '../document/types.ts'
import { type OtherVersion, type Reading, versionWarnings } from '../frame/subject.ts'
import { SERVER_READING } from '../mcp-server/specification.ts'
import { isText, valueAt } from '../text/members.ts'
import { quoted } from '../text/words.ts'
import { CONVERT_VERSION } from './findings.ts'
import type { SourceFormat } from './formats.ts'

type Judge = (document: Document) => OtherVersion | undefined

const ofKind =
  <Subject>({ subject, otherVersion }: Reading<Subject>): Judge =>
  (document) =>
    otherVersion?.(subject(document))

/** For formats that are not a kind. */
const named =
  (pointer: string, known: RegExp): Judge =>
  ({ value }) => {
    const version = valueAt(value, pointer)
    if (!isText(version) || known.test(version)) return undefined
    return { rule: CONVERT_VERSION, pointer, detail: `Version ${quoted(version)} is not one that the converter reads` }
  }

/** Formats whose documents name a version. Metadata is not here: its converter refuses other versions. */
const JUDGES: Readonly<Partial<Record<SourceFormat, Judge>>> = {
  adl: ofKind(ADL_READING),
  'a2a-1.0': ofKind(A2A_READING),
  'a2a-0.3': ofKind(A2A_READING),
  'mcp-server': ofKind(SERVER_READING),
  'oasf-record': named('/schema_version', /^v?[01]\./),
  // Older ones have the same members, or fewer.
  'mcp-2025-11-25': named('/initialize/protocolVersion', /^20(?:24-|25-(?:0\d|10|11)-)/),
}

/** The warning for a document of a version that the converters were not written for. */
export function otherVersionIn(from: SourceFormat, document: Document): readonly Diagnostic[] {
  return versionWarnings(document, JUDGES[from]?.(document))
}
