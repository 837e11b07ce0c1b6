// The codes and titles of what `checkPattern` finds; its messages are the details.
import { diagnose } from './diagnose.ts'
import { Lines } from './lines.ts'
import type { Diagnostic } from './types.ts'

/** A finding as bindings/core/pattern-findings.ts gives it: offset and length in UTF-16 units of the pattern. */
export interface PatternFindingLike {
  readonly severity: 'error' | 'warning'
  readonly reason: string
  readonly message: string
  readonly offset: number
  readonly length: number
}

/** By reason. */
export const PATTERN_KINDS: Readonly<Record<string, readonly [code: string, title: string]>> = {
  empty: ['DOC-130', 'Empty pattern'],
  'too-long': ['DOC-131', 'Pattern too long'],
  'control-character': ['DOC-132', 'Control character in a pattern'],
  space: ['DOC-133', 'Space in a pattern'],
  'non-ascii': ['DOC-134', 'Character beyond ASCII in a pattern'],
  'star-run': ['DOC-135', 'More than two stars in a row'],
  'globstar-kind': ['DOC-136', 'Two stars outside of a path'],
  'globstar-place': ['DOC-137', 'Two stars that are no whole segment'],
  'empty-label': ['DOC-138', 'Empty label in a host'],
  'tag-wildcard': ['DOC-139', 'Star that is not the end of a tag'],
  'too-many-segments': ['DOC-140', 'Too many segments behind two stars'],
  'lone-surrogate': ['DOC-141', 'Pattern that is no text'],
  'bare-wildcard': ['DOC-142', 'Pattern that matches everything'],
  'mid-wildcard': ['DOC-143', 'Star between characters'],
  'host-character': ['DOC-144', 'Character that no host has'],
}

/** The diagnostic of a finding in a pattern, which is the whole source. */
export function patternToDiagnostic(
  kind: string,
  pattern: string,
  finding: PatternFindingLike,
  file?: string,
): Diagnostic {
  const [code, title] = PATTERN_KINDS[finding.reason]!
  const spec = kind === 'tag' ? 'Agent Card section 3.6.1' : 'ADL section 4.4'
  const bytesBefore = (units: number) => new TextEncoder().encode(pattern.slice(0, units)).length
  return diagnose(
    new Lines(new TextEncoder().encode(pattern)),
    { code, title, spec, rule: `pattern/${finding.reason}`, severity: finding.severity },
    {
      pointer: '',
      offset: bytesBefore(finding.offset),
      endOffset: bytesBefore(finding.offset + finding.length),
      detail: finding.message,
    },
    file,
  )
}
