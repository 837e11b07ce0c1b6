// The codes and titles of the findings of `checkPattern`; its messages become the details.
import { diagnose, Lines } from '../document/diagnose.ts'
import type { FindingKind } from '../document/finding.ts'
import type { Diagnostic } from '../document/types.ts'
import * as FINDINGS from './findings.ts'
import type { PatternFinding } from './pattern-findings.ts'

const TAGS = FINDINGS.PATTERN_TAG_WILDCARD.section

/** By reason. Tag patterns cite their own section; in paths, some faults are only warnings. */
export const PATTERN_KINDS: Readonly<Record<string, FindingKind>> = {
  empty: FINDINGS.PATTERN_EMPTY,
  'too-long': FINDINGS.PATTERN_TOO_LONG,
  'control-character': FINDINGS.PATTERN_CONTROL_CHARACTER,
  space: FINDINGS.PATTERN_SPACE,
  'non-ascii': FINDINGS.PATTERN_NON_ASCII,
  'star-run': FINDINGS.PATTERN_STAR_RUN,
  'globstar-kind': FINDINGS.PATTERN_GLOBSTAR_KIND,
  'globstar-place': FINDINGS.PATTERN_GLOBSTAR_PLACE,
  'empty-label': FINDINGS.PATTERN_EMPTY_LABEL,
  'tag-wildcard': FINDINGS.PATTERN_TAG_WILDCARD,
  'too-many-segments': FINDINGS.PATTERN_TOO_MANY_SEGMENTS,
  'lone-surrogate': FINDINGS.PATTERN_LONE_SURROGATE,
  'bare-wildcard': FINDINGS.PATTERN_BARE_WILDCARD,
  'mid-wildcard': FINDINGS.PATTERN_MID_WILDCARD,
  'host-character': FINDINGS.PATTERN_HOST_CHARACTER,
}

/** The diagnostic of a finding in a pattern, where the pattern is the whole source. */
export function patternToDiagnostic(kind: string, pattern: string, finding: PatternFinding, file?: string): Diagnostic {
  const row = PATTERN_KINDS[finding.reason]!
  const bytesBefore = (units: number) => new TextEncoder().encode(pattern.slice(0, units)).length
  return diagnose(
    new Lines(new TextEncoder().encode(pattern)),
    { ...row, section: kind === 'tag' ? TAGS : row.section, severity: finding.severity },
    {
      pointer: '',
      offset: bytesBefore(finding.offset),
      endOffset: bytesBefore(finding.offset + finding.length),
      detail: finding.message,
    },
    file,
  )
}
