// Findings for documents that a verb cannot process.
import { diagnose } from '../document/diagnose.ts'
import type { FindingInfo } from '../document/finding.ts'
import type { Diagnostic } from '../document/types.ts'
import { CHECKED_KINDS, type Kind, rowOf } from '../kinds.ts'
import { oneOf } from '../text/words.ts'
import type { OpenResult } from './open.ts'

const UNDETECTED: FindingInfo = {
  id: 'kind/undetected',
  code: 'DOC-187',
  title: 'Document of no known kind',
  section: 'docs/reference/diagnostics.md',
  severity: 'error',
  why: 'What a document is, is told by its members; these are those of none. The option `as` says what it is meant to be.',
  bad: '{"title": "Scout"}',
  good: '{"adl_spec": "0.1.0", "name": "Scout"}',
}

const UNSUPPORTED: FindingInfo = {
  id: 'kind/unsupported',
  code: 'DOC-188',
  title: 'Kind that is not checked yet',
  section: 'docs/reference/diagnostics.md',
  severity: 'error',
  why: 'It is known what the document is, and there are no rules for that in this version of Blazon.',
  bad: '{"$schema": "https://static.modelcontextprotocol.io/schemas/2025-09-29/server.schema.json"}',
  good: '{"adl_spec": "0.1.0", "name": "Scout"}',
}

const UNSIGNED: FindingInfo = {
  id: 'kind/unsigned',
  code: 'DOC-126',
  title: 'Kind that carries no signature',
  section: 'docs/reference/diagnostics.md',
  severity: 'error',
  why: 'Documents of this kind have no place for a signature of their own: nothing in them could show whose they are.',
  bad: '{"$schema": "https://static.modelcontextprotocol.io/schemas/2025-09-29/server.schema.json"}',
  good: '{"id": "agent://scout", "name": "Scout"}',
}

const OTHER: FindingInfo = {
  id: 'kind/other',
  code: 'DOC-127',
  title: 'Kind that this is not for',
  section: 'docs/reference/diagnostics.md',
  severity: 'error',
  why: 'Read as what it is not, a document would be found faulty, or to permit nothing, and neither says anything about it.',
  bad: 'blazon grants server.json',
  good: 'blazon grants agent.adl.json',
}

/** For `explain`. */
export const KIND_FINDINGS: readonly FindingInfo[] = [UNDETECTED, UNSUPPORTED, UNSIGNED, OTHER]

/** The findings when a document has no rules to be checked against. */
export function refuseCheck(opened: OpenResult): readonly Diagnostic[] {
  if (opened.kind !== undefined)
    return refused(opened, UNSUPPORTED, `${rowOf(opened.kind).plural} cannot be checked yet`)
  const kinds = oneOf(CHECKED_KINDS)
  return refused(opened, UNDETECTED, `expected members of ${kinds}, the kinds that can be checked, found those of none`)
}

/** The findings when a document of a kind without signatures should be signed or verified. */
export function refuseSignature(opened: OpenResult): readonly Diagnostic[] {
  return refused(opened, UNSIGNED, `${rowOf(opened.kind!).plural} carry no signature of their own`)
}

/** The findings when a verb is for documents of other kinds. */
export function refuseOther(opened: OpenResult, kinds: readonly Kind[]): readonly Diagnostic[] {
  const wanted = oneOf(kinds.map((kind) => rowOf(kind).plural))
  return refused(opened, OTHER, `this is for ${wanted}, not for ${rowOf(opened.kind!).plural}`)
}

function refused({ document, diagnostics }: OpenResult, finding: FindingInfo, detail: string): readonly Diagnostic[] {
  if (document === undefined) return diagnostics
  const { offset, endOffset } = document.source('')
  const place = { pointer: '', offset, endOffset, detail }
  return [...diagnostics, diagnose(document.lines, finding, place, document.file)]
}
