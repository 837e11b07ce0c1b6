// Findings for documents that a verb cannot process.

import { diagnose } from '../document/diagnose.ts'
import type { FindingKind } from '../document/finding.ts'
import type { Diagnostic } from '../document/types.ts'
import { CHECKED_KINDS, type Kind, rowOf } from '../kinds.ts'
import { oneOf } from '../text/words.ts'
import * as FINDINGS from './findings.ts'
import type { OpenResult } from './open.ts'

/** The findings when a document has no rules to be checked against. */
export function refuseCheck(opened: OpenResult): readonly Diagnostic[] {
  if (opened.kind !== undefined)
    return refused(opened, FINDINGS.KIND_UNSUPPORTED, `${rowOf(opened.kind).plural} cannot be checked yet`)
  const kinds = oneOf(CHECKED_KINDS)
  return refused(
    opened,
    FINDINGS.KIND_UNDETECTED,
    `expected members of ${kinds}, the kinds that can be checked, found those of none`,
  )
}

/** The findings when a document of a kind without signatures should be signed or verified. */
export function refuseSignature(opened: OpenResult): readonly Diagnostic[] {
  return refused(opened, FINDINGS.KIND_UNSIGNED, `${rowOf(opened.kind!).plural} carry no signature of their own`)
}

/** The findings when a verb is for documents of other kinds. */
export function refuseOther(opened: OpenResult, kinds: readonly Kind[]): readonly Diagnostic[] {
  const wanted = oneOf(kinds.map((kind) => rowOf(kind).plural))
  return refused(opened, FINDINGS.KIND_OTHER, `this is for ${wanted}, not for ${rowOf(opened.kind!).plural}`)
}

function refused({ document, diagnostics }: OpenResult, finding: FindingKind, detail: string): readonly Diagnostic[] {
  if (document === undefined) return diagnostics
  const { offset, endOffset } = document.source('')
  const place = { pointer: '', offset, endOffset, detail }
  return [...diagnostics, diagnose(document.lines, finding, place, document.file)]
}
