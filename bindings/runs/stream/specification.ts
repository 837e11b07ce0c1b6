// A stream as a kind of document: `validate` checks its lines, their order, and the record that they make.
import { canonicalizeValue } from '../../core/value.ts'
import type { Document } from '../../document/parse.ts'
import type { Diagnostic, SourceLine } from '../../document/types.ts'
import { parseAs } from '../../frame/as.ts'
import { check } from '../../frame/check.ts'
import type { Findings } from '../../frame/collect.ts'
import { type RuleSettings, ruleSettings } from '../../frame/rule-settings.ts'
import type { ValidationReport } from '../../frame/source.ts'
import type { Specification } from '../../frame/specification.ts'
import { severityOf } from '../../frame/subject.ts'
import { formatPointer, type JsonObject, parsePointer } from '../../text/members.ts'
import { ROOT_OBJECT } from '../record/findings.ts'
import { RUN } from '../record/specification.ts'
import * as FINDINGS from './findings.ts'
import { type Line, LineChecker, placeInLine, recordOf } from './lines.ts'

const LINE_FEED = 0x0a

/** The lines of a stream, and what is wrong with them. */
class Stream {
  readonly document: Document
  readonly lines: readonly (Line | undefined)[]
  readonly faults: readonly Diagnostic[]
  #report: ValidationReport | undefined
  #stepLines: readonly number[] | undefined

  constructor(document: Document) {
    this.document = document
    const checker = new LineChecker('')
    this.lines = Array.from(linesIn(document.lines.bytes), (line) => checker.take(line))
    checker.finish()
    this.faults = checker.diagnostics
  }

  /** The report on the record; undefined without a first and a last line. Only the first call checks it. */
  report(settings: RuleSettings): ValidationReport | undefined {
    const known = this.lines.filter((line) => line !== undefined)
    if (known[0]?.type !== 'run_started' || known.at(-1)?.type !== 'run_completed') return undefined
    this.#report ??= check(RUN, parseAs(RUN, canonicalizeValue(recordOf(known))), settings)
    return this.#report
  }

  /** The place in the stream of a place in the record. */
  placeOf(pointer: string): string {
    const tokens = parsePointer(pointer) ?? []
    const place = placeInLine(tokens)
    this.#stepLines ??= stepLinesOf(this.lines)
    const last = this.lines.length - 1
    const line = { run: 0, step: this.#stepLines[Number(tokens[1])], end: last }[place[0] as 'run' | 'step' | 'end']
    return formatPointer([String(line ?? 0), ...place])
  }
}

/** The positions of the lines with steps, in the order of the record. */
function stepLinesOf(lines: readonly (Line | undefined)[]): readonly number[] {
  const steps = lines.flatMap((line, i) => (line?.type === 'step' ? [[i, stepIndex(line['step'])] as const] : []))
  return steps.sort(([, a], [, b]) => a - b).map(([i]) => i)
}

const stepIndex = (step: unknown) => Number((step as JsonObject)['index'])

function* linesIn(bytes: Uint8Array): Generator<SourceLine> {
  for (let [number, offset] = [1, 0]; offset < bytes.length; number++) {
    const end = bytes.indexOf(LINE_FEED, offset)
    yield { number, offset, bytes: bytes.subarray(offset, end < 0 ? undefined : end), hasEnd: end >= 0 }
    offset = end < 0 ? bytes.length : end + 1
  }
}

export const STREAM: Specification<Stream> = {
  kind: 'stream',
  rootObject: ROOT_OBJECT,
  subject: (document) => new Stream(document),
  words: RUN.words,
  settings: ruleSettings,
  shapes: () => [],
  rules: [],
  check: checkStream,
  names: () => [...FINDINGS.names(), ...RUN.names()],
  conformance: (stream) => stream.report(ruleSettings({}))?.conformance,
}

function checkStream(stream: Stream, findings: Findings, settings: RuleSettings): void {
  const add = (found: Diagnostic, pointer: string) => {
    const { code, rule: id, title, spec: section, severity, detail } = found
    const kind = { code, id, title, section, severity }
    findings.add(kind, severityOf(kind, settings.ruleset, settings.rules), pointer, detail)
  }
  for (const fault of stream.faults) add(fault, `/${fault.source.line - 1}`)
  for (const found of stream.report(settings)?.diagnostics ?? []) add(found, stream.placeOf(found.source.pointer))
}
