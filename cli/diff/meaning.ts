import { checkVersion, diff } from '../../bindings/adl/diff/diff.ts'
import { validate } from '../../bindings/adl/verbs.ts'
import { formatPosition } from '../../bindings/document/finding.ts'
import type { Document } from '../../bindings/document/parse.ts'
import { detectKind } from '../../bindings/frame/detect.ts'
import { type Change, stepFrom, type VersionCheck } from '../../bindings/policy/diff/change.ts'
import { visible } from '../../bindings/text/hidden.ts'
import type { Tools } from '../command.ts'
import type { Outcome, Result } from '../outcome.ts'
import type { ReadResult } from '../reader.ts'
import { word } from '../report/report.ts'
import { EXIT, UsageError } from '../usage.ts'

/** Shows the changes in meaning from an old agent definition to a new one. */
export function compareMeaning(old: ReadResult, now: ReadResult, versionMatters: boolean, { print }: Tools): Outcome {
  const results: Result[] = [old, now].map(({ file, document, diagnostics }) => ({
    file,
    kind: document === undefined ? null : 'adl',
    valid: document !== undefined,
    diagnostics,
  }))
  if (old.document === undefined || now.document === undefined) return { results }
  const [before, after] = [definition(old.file, old.document), definition(now.file, now.document)]
  const version = checkVersion(before, after)
  const changes = diff(before, after).changes.map((change) => ({
    ...change,
    // The same wording as in the summary of all changes.
    bump: stepFrom(version.from, change.bump),
    source: (change.document === 'old' ? before : after).source(change.pointer),
  }))
  const { valid, diagnostics } = validate(after)
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length
  const widened = changes.filter(({ kind }) => kind === 'widened').length
  print(...changes.map((change) => `${describe(change, formatPosition(change.source))}\n`))
  const line = summary(changes, widened, version)
  const tooLittle = versionMatters && !version.enough
  return {
    results: [results[0]!, { ...results[1]!, valid, changes, versionCheck: jsonOf(version) }],
    notes: [line, ...(valid ? [] : [invalidNote(now.file, errors)])],
    ...((widened > 0 || tooLittle) && { exit: EXIT.findings, reason: line }),
  }
}

function definition(file: string, document: Document): Document {
  if (detectKind(document) === 'adl') return document
  const hint = 'blazon diff --canonical A B compares any two documents'
  throw new UsageError('wrong-kind', `${visible(file)} is not an agent definition`, hint)
}

function describe({ kind, bump, area, detail }: Change, position: string): string {
  return `${visible(position)}: ${kind} (${bump}), ${area}: ${visible(detail)}`
}

function summary(changes: readonly Change[], widened: number, { from, to, needed, enough }: VersionCheck): string {
  if (needed === undefined) return 'no changes'
  const count = `${changes.length} ${changes.length === 1 ? 'change' : 'changes'}, ${widened} of them wider`
  const move = `version ${from ?? '(none)'} to ${to ?? '(none)'}`
  return `${count}; ${needed} step needed, ${move}${enough ? '' : ' is too little'}`
}

/** Hosts refuse an invalid definition, however little it changed. */
function invalidNote(file: string, errors: number): string {
  const count = `${errors} ${errors === 1 ? 'error' : 'errors'}`
  return `${file} is not valid (${count}): blazon validate ${word(file)} shows why`
}

/** Replaces undefined by null, because JSON has no undefined. */
function jsonOf({
  from = null,
  to = null,
  moved = null,
  needed = null,
  enough,
}: { [Name in keyof VersionCheck]: VersionCheck[Name] | null }) {
  return { from, to, moved, needed, enough }
}
