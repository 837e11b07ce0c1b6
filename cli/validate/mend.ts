// Carries out `--fix` and `--fix-dry-run` for a document.
import { diagnose, Lines } from '../../bindings/document/diagnose.ts'
import type { Tools } from '../command.ts'
import { unifiedDiff } from '../diff/lines.ts'
import { FMT_UNWRITABLE } from '../findings.ts'
import { saveOver } from '../save.ts'
import type { Checker, CheckResult, Place } from './checker.ts'
import { applyFixes, type FixResult } from './fix.ts'
import { mask } from './mask.ts'

/** Checks, and writes the fixes if requested. */
export interface Mending extends Tools {
  readonly checker: Checker
  readonly writes: boolean
}

/** The fixed document, or the original if it cannot be written. */
export interface MendResult {
  readonly bytes: Uint8Array
  readonly checked: CheckResult
  readonly notes: readonly string[]
  /** The changes, if nothing is written. */
  readonly diff: string
  readonly unwritable: boolean
}

/** Fixes a document as far as possible, writes the file if requested, and reports the remaining findings. */
export async function mend(
  bytes: Uint8Array,
  place: Place,
  { checker, writes, reader, host }: Mending,
): Promise<MendResult> {
  const { file } = place
  const fixed = await applyFixes(bytes, (text) => checker.check(text, place), file)
  const failure = writes && fixed.fixes > 0 ? await saveOver(host, file, fixed.bytes) : undefined
  if (failure !== undefined) return unwritten(bytes, fixed, failure, file)
  reader.sources.set(file, new Lines(fixed.bytes))
  const diff = writes ? '' : diffOf(bytes, fixed, file)
  const without = withoutFixes(fixed)
  return {
    bytes: fixed.bytes,
    checked: withFixes(fixed.checked, fixed.fixes, without),
    notes: [`${file}: ${without === undefined ? fixNote(fixed, writes, diff) : WITHOUT_FIXES[without]}`],
    diff,
    unwritable: false,
  }
}

const WITHOUT_FIXES = {
  clean: 'nothing to fix',
  'no-fix': 'no finding can be fixed automatically',
  'no-gain': 'the fixes would not improve the document, so none is applied',
} as const

/** Why there are no fixes; undefined if there are some. */
function withoutFixes({ fixes, checked }: FixResult): keyof typeof WITHOUT_FIXES | undefined {
  if (fixes > 0) return undefined
  const { diagnostics } = checked.result
  if (diagnostics.length === 0) return 'clean'
  return diagnostics.some(({ fix }) => (fix?.edits ?? []).length > 0) ? 'no-gain' : 'no-fix'
}

/** The note on the fixes, and why they are not shown. */
function fixNote({ fixes }: FixResult, writes: boolean, diff: string): string {
  const count = `${fixes} ${fixes === 1 ? 'fix' : 'fixes'}`
  if (writes) return `${count} written`
  const secret = 'not shown, because only one version of the document is confidential'
  return `${count} not written${diff === '' ? `, and ${secret}` : ''}`
}

function unwritten(bytes: Uint8Array, { before }: FixResult, detail: string, file: string): MendResult {
  const finding = diagnose(new Lines(bytes), FMT_UNWRITABLE, { pointer: '', offset: 0, endOffset: 0, detail }, file)
  const { result, document } = before
  const all = { ...result, valid: false, diagnostics: [...result.diagnostics, finding] }
  return {
    bytes,
    checked: withFixes({ result: all, document }, 0, 'unwritable'),
    notes: [],
    diff: '',
    unwritable: true,
  }
}

const withFixes = ({ result, document }: CheckResult, fixes: number, without?: string): CheckResult => ({
  result: { ...result, fixes, ...(without !== undefined && { withoutFixes: without }) },
  document,
})

/** A diff without confidential parts (ADL 18.9); empty if only one of the versions is confidential. */
function diffOf(bytes: Uint8Array, { bytes: after, fixes, before, checked }: FixResult, file: string): string {
  if (fixes === 0) return ''
  const [from, to] = [starred(bytes, before), starred(after, checked)]
  if ((from === undefined) !== (to === undefined)) return ''
  return unifiedDiff(from ?? bytes, to ?? after, file)
}

function starred(bytes: Uint8Array, { document }: CheckResult): Uint8Array | undefined {
  return document === undefined ? undefined : mask(bytes, document, [])?.lines.bytes
}
