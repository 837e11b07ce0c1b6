// The codes and titles of the findings of `checkPattern`; its messages become the details.
import { diagnose } from '../document/diagnose.ts'
import type { FindingKind } from '../document/finding.ts'
import { Lines } from '../document/lines.ts'
import type { Diagnostic } from '../document/types.ts'

/** A finding from bindings/core/pattern-findings.ts: offset and length in UTF-16 units of the pattern. */
export interface PatternFindingLike {
  readonly severity: 'error' | 'warning'
  readonly reason: string
  readonly message: string
  readonly offset: number
  readonly length: number
}

const section = 'ADL section 4.4'
const TAGS = 'Agent Card section 3.6.1'
const severity = 'error'

/** By reason. Tag patterns cite their own section; in paths, some faults are only warnings. */
export const PATTERN_KINDS: Readonly<Record<string, FindingKind>> = {
  empty: { id: 'pattern/empty', code: 'DOC-130', title: 'Empty pattern', section, severity },
  'too-long': { id: 'pattern/too-long', code: 'DOC-131', title: 'Pattern too long', section, severity },
  'control-character': {
    id: 'pattern/control-character',
    code: 'DOC-132',
    title: 'Control character in a pattern',
    section,
    severity,
  },
  space: { id: 'pattern/space', code: 'DOC-133', title: 'Space in a pattern', section, severity },
  'non-ascii': {
    id: 'pattern/non-ascii',
    code: 'DOC-134',
    title: 'Character beyond ASCII in a pattern',
    section,
    severity,
  },
  'star-run': { id: 'pattern/star-run', code: 'DOC-135', title: 'More than two stars in a row', section, severity },
  'globstar-kind': {
    id: 'pattern/globstar-kind',
    code: 'DOC-136',
    title: 'Two stars outside of a path',
    section,
    severity,
  },
  'globstar-place': {
    id: 'pattern/globstar-place',
    code: 'DOC-137',
    title: 'Two stars that are no whole segment',
    section,
    severity,
  },
  'empty-label': { id: 'pattern/empty-label', code: 'DOC-138', title: 'Empty label in a host', section, severity },
  'tag-wildcard': {
    id: 'pattern/tag-wildcard',
    code: 'DOC-139',
    title: 'Star that is not the end of a tag',
    section: TAGS,
    severity,
  },
  'too-many-segments': {
    id: 'pattern/too-many-segments',
    code: 'DOC-140',
    title: 'Too many segments behind two stars',
    section,
    severity,
  },
  'lone-surrogate': {
    id: 'pattern/lone-surrogate',
    code: 'DOC-141',
    title: 'Pattern that is no text',
    section,
    severity,
  },
  'bare-wildcard': {
    id: 'pattern/bare-wildcard',
    code: 'DOC-142',
    title: 'Pattern that matches everything',
    section,
    severity: 'warning',
  },
  'mid-wildcard': {
    id: 'pattern/mid-wildcard',
    code: 'DOC-143',
    title: 'Star between characters',
    section,
    severity: 'warning',
  },
  'host-character': {
    id: 'pattern/host-character',
    code: 'DOC-144',
    title: 'Character that no host has',
    section,
    severity: 'warning',
  },
}

/** The diagnostic of a finding in a pattern, where the pattern is the whole source. */
export function patternToDiagnostic(
  kind: string,
  pattern: string,
  finding: PatternFindingLike,
  file?: string,
): Diagnostic {
  const row = PATTERN_KINDS[finding.reason]!
  const bytesBefore = (units: number) => new TextEncoder().encode(pattern.slice(0, units)).length
  return diagnose(
    new Lines(new TextEncoder().encode(pattern)),
    { ...row, section: kind === 'tag' ? TAGS : section, severity: finding.severity },
    {
      pointer: '',
      offset: bytesBefore(finding.offset),
      endOffset: bytesBefore(finding.offset + finding.length),
      detail: finding.message,
    },
    file,
  )
}
