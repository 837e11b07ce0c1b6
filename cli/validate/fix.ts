import { applyEdits } from '../../bindings/document/edit.ts'
import type { Diagnostic, Edit } from '../../bindings/document/types.ts'
import type { CheckResult } from './checker.ts'

/** The most rounds: a fix may reveal another fault. */
const ROUNDS = 10
/** The most attempts to find bad edits: each checks the whole document. */
const MOST_TRIES = 64

export interface FixResult {
  readonly bytes: Uint8Array
  readonly fixes: number
  /** The result before the fixes. */
  readonly before: CheckResult
  /** The result for the fixed bytes. */
  readonly checked: CheckResult
}

/**
 * Applies the edits of findings as long as each round improves the document and leaves it readable. Edits that make the
 * document worse are not applied, nor edits of other files than `file`.
 */
export async function applyFixes(bytes: Uint8Array, check: Check, file?: string): Promise<FixResult> {
  const before = await check(bytes)
  let fixed: FixResult = { bytes, fixes: 0, before, checked: before }
  const tries = { left: MOST_TRIES }
  for (let round = 0; round < ROUNDS; round++) {
    const { diagnostics } = fixed.checked.result
    const chosen = apart(diagnostics.filter(({ source }) => file === undefined || (source.file ?? file) === file))
    const next = await better(fixed, chosen, check, tries)
    if (next === undefined) return fixed
    fixed = next
  }
  return fixed
}

type Check = (bytes: Uint8Array) => Promise<CheckResult>
type Chosen = readonly (readonly Edit[])[]

/** Applies all of these edits; undefined if the result is not better than `least`. */
async function withAll(
  from: FixResult,
  chosen: Chosen,
  check: Check,
  least = from.checked,
): Promise<FixResult | undefined> {
  if (chosen.length === 0) return undefined
  const bytes = applyEdits(from.bytes, chosen.flat())
  const checked = await check(bytes)
  const isLost = checked.document === undefined && least.document !== undefined
  if (isLost || !isBetter(checked.result.diagnostics, least.result.diagnostics)) return undefined
  return { ...from, bytes, fixes: from.fixes + chosen.length, checked }
}

/**
 * Applies as many edits as improve the document: a bad edit does not keep the others out. If two edits are good alone
 * but bad together, such as renaming two members to one name, it applies none: we cannot know which one is meant.
 */
async function better(
  from: FixResult,
  chosen: Chosen,
  check: Check,
  tries: { left: number },
): Promise<FixResult | undefined> {
  let kept: Chosen = []
  let best = await withAll(from, chosen, check)
  if (best !== undefined) return best
  for (const parts = halves(chosen); parts.length > 0 && tries.left-- > 0; ) {
    const part = parts.shift()!
    const next = await withAll(from, [...kept, ...part], check, best?.checked)
    if (next !== undefined) {
      kept = [...kept, ...part]
      best = next
    } else if (part.length > 1) parts.unshift(...halves(part))
    else if (kept.length > 0 && (await withAll(from, part, check)) !== undefined) return undefined
  }
  return best
}

function halves(chosen: Chosen): Chosen[] {
  const middle = chosen.length >> 1
  return chosen.length < 2 ? [] : [chosen.slice(0, middle), chosen.slice(middle)]
}

/** Compares the counts of errors, then of warnings, then of infos: a fix may turn an error into a warning. */
function isBetter(after: readonly Diagnostic[], before: readonly Diagnostic[]): boolean {
  for (const severity of ['error', 'warning', 'info']) {
    const [now, then] = [after, before].map((all) => all.filter((one) => one.severity === severity).length)
    if (now !== then) return now! < then!
  }
  return false
}

/** The edits of each fixable finding, without those that overlap the edits of an earlier one. */
function apart(diagnostics: readonly Diagnostic[]): readonly (readonly Edit[])[] {
  const taken: Edit[] = []
  return diagnostics.flatMap(({ fix }) => {
    const edits = fix?.edits ?? []
    if (edits.length === 0 || edits.some((edit) => taken.some((other) => touch(edit, other)))) return []
    for (const one of edits) taken.push(one)
    return [edits]
  })
}

function touch(a: Edit, b: Edit): boolean {
  return a.offset <= b.endOffset && b.offset <= a.endOffset
}
