// Takes sensitive content out of a run record (ADP-1 section 7.2). Everything else stays byte for byte.
import { inJson, withEdits, withValues } from '../../document/edit.ts'
import type { Document } from '../../document/parse.ts'
import type { Diagnostic } from '../../document/types.ts'
import { parseAs } from '../../frame/as.ts'
import { check } from '../../frame/check.ts'
import { expectOne } from '../../frame/rule-settings.ts'
import type { FileOptions, SignResult, Source } from '../../frame/source.ts'
import { ruleDiagnostic } from '../../frame/subject.ts'
import { valueAt } from '../../text/members.ts'
import { REDACTION_INVALID } from './findings.ts'
import {
  MODES,
  type RedactionPolicy,
  RedactionWalk,
  type RemovedContent,
  randomSalt,
  readPattern,
  SENSITIVE,
} from './redaction.ts'
import { RUN } from './specification.ts'
import { REDACTED } from './subject.ts'

export declare namespace redactRun {
  interface Result extends SignResult {
    readonly removed: readonly RemovedContent[]
    /** The salts of `digest` in base64url, by pointer. Anyone with one can check a value against its digest. */
    readonly salts: Readonly<Record<string, string>>
  }

  interface Policy extends FileOptions, RedactionPolicy {}
}

/**
 * Takes sensitive content out of a valid run record. The result is a valid record that lists what was removed.
 *
 * @example
 * redactRun(record, { pointers: ['/context/user_id'], mode: 'mask' }).removed // [{ pointer: '/context/user_id', ... }]
 *
 * @throws {RangeError} for a pointer to something that every record needs.
 */
export function redactRun(source: Source, policy: redactRun.Policy = {}): redactRun.Result {
  const { pointers = SENSITIVE, mode = 'remove', secrets = true, salt = randomSalt, file } = policy
  expectOne('mode', MODES, mode)
  const patterns = pointers.map(readPattern)
  const parsed = parseAs(RUN, source, { file })
  const report = check(RUN, parsed, RUN.settings({}))
  if (!report.valid) return refuseRecord(parsed.document, report.diagnostics)
  const document = inJson(parsed.document!)
  const walk = new RedactionWalk(document, patterns, {
    mode,
    secrets,
    salt,
    runId: String(valueAt(document.value, '/run_id')),
  })
  const removed = walk.removed()
  const edited = withEdits(document, walk.edits)
  const result =
    removed.length === 0 ? edited : withValues(edited, [[`/metadata/${REDACTED}`, listRemovals(document, removed)]])
  return { document: result, bytes: result.bytes, diagnostics: report.diagnostics, removed, salts: walk.salts }
}

function refuseRecord(document: Document | undefined, diagnostics: readonly Diagnostic[]): redactRun.Result {
  const errors = diagnostics.filter(({ severity }) => severity === 'error')
  const isOpen = document !== undefined && valueAt(document.value, '/status') === undefined
  const detail = isOpen
    ? 'The run has no end yet: redact it when it has ended'
    : `The record has ${errors.length} errors`
  const own = document === undefined ? [] : [ruleDiagnostic(document, REDACTION_INVALID, 'error', '', detail)]
  return { document: undefined, bytes: undefined, diagnostics: [...errors, ...own], removed: [], salts: {} }
}

/** Earlier redactions stay listed. */
function listRemovals(document: Document, removed: readonly RemovedContent[]): readonly unknown[] {
  const before = valueAt(document.value, `/metadata/${REDACTED}`)
  return [...(Array.isArray(before) ? before : []), ...removed]
}
