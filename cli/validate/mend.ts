// Carries out `--fix` and `--fix-dry-run` for a document.
import { diagnose } from '../../bindings/document/diagnose.ts'
import { Lines } from '../../bindings/document/lines.ts'
import type { Tools } from '../command.ts'
import { unifiedDiff } from '../diff/lines.ts'
import { UNWRITABLE } from '../findings.ts'
import { saveOver } from '../save.ts'
import type { Checker, CheckResult } from './checker.ts'
import { applyFixes, type FixResult } from './fix.ts'
import { mask } from './mask.ts'

/** The current state: the mended document, or the original when it cannot be written. */
export interface MendResult {
  readonly bytes: Uint8Array
  readonly checked: CheckResult
  readonly notes: readonly string[]
  /** The changes, when nothing is written. */
  readonly diff: string
  readonly unwritable: boolean
}

/** Mends a document as far as possible, writes the file if that is wanted, and reports the remaining findings. */
export async function mend(
  bytes: Uint8Array,
  file: string,
  pointer: string | undefined,
  checker: Checker,
  writes: boolean,
  { reader, host }: Tools,
): Promise<MendResult> {
  const fixed = await applyFixes(bytes, (text) => checker.check(text, file, pointer))
  const failure = writes && fixed.fixes > 0 ? await saveOver(host, file, fixed.bytes) : undefined
  if (failure !== undefined) return unwritten(bytes, fixed, failure, file)
  reader.sources.set(file, new Lines(fixed.bytes))
  const diff = writes ? '' : diffOf(bytes, fixed, file)
  const without = withoutFixes(fixed)
  return {
    bytes: fixed.bytes,
    checked: withFixes(fixed.checked, fixed.fixes, without),
    notes: [`${file}: ${without === undefined ? said(fixed, writes, diff) : WITHOUT_FIXES[without]}`],
    diff,
    unwritable: false,
  }
}

const WITHOUT_FIXES = {
  clean: 'nothing to mend',
  'no-fix': 'no finding has a fix that can be made here',
  'no-gain': 'the fixes would leave as many findings, or what cannot be read, so none is made',
} as const

/** Why there are no fixes; undefined where there are. */
function withoutFixes({ fixes, checked }: FixResult): keyof typeof WITHOUT_FIXES | undefined {
  if (fixes > 0) return undefined
  const { diagnostics } = checked.result
  if (diagnostics.length === 0) return 'clean'
  return diagnostics.some(({ fix }) => (fix?.edits ?? []).length > 0) ? 'no-gain' : 'no-fix'
}

/** The outcome of fixes; where they are neither shown nor written, why. */
function said({ fixes }: FixResult, writes: boolean, diff: string): string {
  const count = `${fixes} ${fixes === 1 ? 'fix' : 'fixes'}`
  if (writes) return `${count} written`
  const secret = 'not shown, for one version of the document is confidential and the other is not'
  return `${count} not written${diff === '' ? `, and ${secret}` : ''}`
}

function unwritten(bytes: Uint8Array, { before }: FixResult, detail: string, file: string): MendResult {
  const finding = diagnose(new Lines(bytes), UNWRITABLE, { pointer: '', offset: 0, endOffset: 0, detail }, file)
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

/** A diff without confidential parts (ADL 18.9); empty for a document that becomes confidential, or is no longer. */
function diffOf(bytes: Uint8Array, { bytes: after, fixes, before, checked }: FixResult, file: string): string {
  if (fixes === 0) return ''
  const [from, to] = [starred(bytes, before), starred(after, checked)]
  if ((from === undefined) !== (to === undefined)) return ''
  return unifiedDiff(from ?? bytes, to ?? after, file)
}

function starred(bytes: Uint8Array, { document }: CheckResult): Uint8Array | undefined {
  return document === undefined ? undefined : mask(bytes, document, [])?.lines.bytes
}
