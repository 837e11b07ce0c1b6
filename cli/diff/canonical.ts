import type { Lines } from '../../bindings/document/diagnose.ts'
import { type Difference, firstDifference } from '../../bindings/document/difference.ts'
import { formatPosition } from '../../bindings/document/finding.ts'
import type { Document } from '../../bindings/document/parse.ts'
import { visible } from '../../bindings/text/hidden.ts'
import type { Tools } from '../command.ts'
import type { Outcome, Result } from '../outcome.ts'
import type { ReadResult } from '../reader.ts'
import { codeFrame } from '../report/pretty.ts'
import { starredLines } from '../secrets.ts'
import { EXIT } from '../usage.ts'
import { mask } from '../validate/mask.ts'

/** Shows the first place where the canonical forms of two documents differ. */
export function compareCanonical(a: ReadResult, b: ReadResult, { print }: Tools): Outcome {
  const results: Result[] = [a, b].map(({ file, document, diagnostics }) => ({
    file,
    kind: null,
    valid: document !== undefined,
    diagnostics,
  }))
  if (a.document === undefined || b.document === undefined) return { results }
  const difference = firstDifference(a.document, b.document)
  if (difference === undefined) {
    const note = `${a.file} and ${b.file} have the same canonical form`
    return { results: results.map((result) => ({ ...result, equal: true })), notes: [note] }
  }
  print(describe(difference, a.document, b.document))
  const { a: inA, b: inB, ...common } = difference
  return {
    results: [
      { ...results[0]!, equal: false, difference: { ...common, source: inA } },
      { ...results[1]!, equal: false, difference: { ...common, source: inB } },
    ],
    exit: EXIT.findings,
    reason: titleOf(difference),
  }
}

/** Describes the difference, with an excerpt of each source. */
function describe(difference: Difference, a: Document, b: Document): string {
  const [inA, inB] = linesOf([a, b])
  return [
    visible(titleOf(difference)),
    `first different byte of the canonical forms: ${difference.canonicalOffset}`,
    ...excerpt(difference, 'a', inA),
    ...excerpt(difference, 'b', inB),
    '',
  ].join('\n')
}

/** The lines that may be shown. If one document is confidential, the other may be an older version of it. */
function linesOf(documents: readonly [a: Document, b: Document]): readonly (Lines | undefined)[] {
  const masked = documents.map((document) => mask(document.lines.bytes, document, [])?.lines)
  return masked.some((lines) => lines !== undefined) ? masked : documents.map(({ lines }) => lines)
}

const titleOf = (difference: Difference) => `${headline(difference)}: ${difference.pointer || 'the whole document'}`

function headline({ kind, only }: Difference): string {
  if (kind === 'value') return 'different value'
  if (kind === 'type') return 'different type'
  return `${kind} that only the ${only === 'a' ? 'first' : 'second'} document has`
}

function excerpt(difference: Difference, side: 'a' | 'b', lines: Lines | undefined): string[] {
  const source = difference[side]
  const lacks = difference.only !== undefined && difference.only !== side
  const title = `${formatPosition(source)}${lacks ? `, without this ${difference.kind}` : ''}`
  if (lines === undefined) return ['', visible(title), '  not shown: the other document is confidential']
  const rows = codeFrame(starredLines(lines), source, 80)
  return [
    '',
    visible(title),
    ...rows.map(({ gutter, text, role }) => `${role === 'line' ? '>' : ' '} ${gutter} | ${text}`.trimEnd()),
  ]
}
