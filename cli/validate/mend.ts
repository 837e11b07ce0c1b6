// Carries out `--fix` and `--fix-dry-run` for a document and the other files of its folder.
import { posix } from 'node:path'
import { load } from '../../bindings/agentlang/verbs.ts'
import { diagnose, Lines } from '../../bindings/document/diagnose.ts'
import { applyEdits } from '../../bindings/document/edit.ts'
import type { Diagnostic, Edit } from '../../bindings/document/types.ts'
import type { Kind } from '../../bindings/kinds.ts'
import type { Tools } from '../command.ts'
import { FMT_UNWRITABLE } from '../findings.ts'
import { mask } from '../mask.ts'
import { saveOver } from '../save.ts'
import type { Checker, CheckResult, Place } from './checker.ts'

/** Fixes the other files of an agent's folder, each by its own findings, and then the document. */
export async function mendAll(bytes: Uint8Array, place: Place, mending: Mending): Promise<MendResult> {
  if (place.around === undefined) return mend(bytes, place, mending)
  const files = new Map(await place.around())
  const parts: MendResult[] = []
  for (const [path, as] of partsOf(files)) {
    const file = posix.join(posix.dirname(place.file), path)
    const part = await mend(files.get(path)!, { file, as }, mending)
    files.set(path, part.bytes)
    if (part.unwritable || fixesOf(part) > 0) parts.push(part)
  }
  const own = await mend(bytes, { ...place, around: async () => files }, mending)
  return parts.length === 0 ? own : joinResults(own, parts)
}

/** The files of an agent that are documents, except agent.yaml and agent.lock. */
export function partsOf(files: ReadonlyMap<string, Uint8Array>): readonly (readonly [path: string, as: Kind])[] {
  const { folder } = load(files)
  if (folder === undefined) return []
  const { prompts, subAgents, skills, ux } = folder
  const all = { prompt: prompts, agentlang: subAgents, skill: skills, ux: ux === undefined ? [] : [ux] }
  return Object.entries(all).flatMap(([as, parts]) => parts.map(({ path }) => [path, as as Kind] as const))
}

const fixesOf = ({ checked }: MendResult) => Number(checked.result['fixes'] ?? 0)

function joinResults(own: MendResult, parts: readonly MendResult[]): MendResult {
  const all = [...parts, ...(fixesOf(own) > 0 || own.unwritable ? [own] : [])]
  const failures = parts.flatMap(({ unwritable, checked }) => (unwritable ? checked.result.diagnostics.slice(-1) : []))
  const { withoutFixes: _, ...result } = own.checked.result
  const checked: CheckResult = {
    ...own.checked,
    result: {
      ...result,
      valid: result.valid && failures.length === 0,
      diagnostics: [...result.diagnostics, ...failures],
      fixes: all.reduce((sum, part) => sum + fixesOf(part), 0),
    },
  }
  return {
    bytes: own.bytes,
    checked,
    notes: all.flatMap(({ notes }) => notes),
    diff: all.map(({ diff }) => diff).join(''),
    unwritable: all.some(({ unwritable }) => unwritable),
  }
}

// Carries out `--fix` and `--fix-dry-run` for a document.

/** Checks, and writes the fixes if requested. */
export interface Mending extends Tools {
  readonly checker: Checker
  readonly writes: boolean
}

/** The fixed document, or the original if it cannot be written. */
interface MendResult {
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
  const [from, to] = [starBytes(bytes, before), starBytes(after, checked)]
  if ((from === undefined) !== (to === undefined)) return ''
  return unifiedDiff(from ?? bytes, to ?? after, file)
}

const starBytes = (bytes: Uint8Array, { document }: CheckResult): Uint8Array | undefined =>
  document === undefined ? undefined : mask(bytes, document, [])?.lines.bytes

/** The most rounds: a fix may reveal another fault. */
const ROUNDS = 10
/** The most attempts to find bad edits: each checks the whole document. */
const MOST_TRIES = 64

interface FixResult {
  readonly bytes: Uint8Array
  readonly fixes: number
  readonly before: CheckResult
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

const touch = (a: Edit, b: Edit): boolean => a.offset <= b.endOffset && b.offset <= a.endOffset

// The changes between two texts, in the format of `patch`.

/** Unchanged lines shown around a change. */
const AROUND = 3
/** How many lines ahead to search for the next equal one: fixes make small changes. */
const FURTHEST = 200

interface Step {
  readonly sign: ' ' | '-' | '+'
  readonly line: string
}

/** The changes in the unified format; empty for equal texts. */
export function unifiedDiff(before: Uint8Array, after: Uint8Array, file: string): string {
  const hunks = hunksOf(stepsBetween(wholeLines(before), wholeLines(after)))
  return hunks === '' ? '' : `--- ${file}\n+++ ${file}\n${hunks}`
}

function wholeLines(bytes: Uint8Array): readonly string[] {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

function stepsBetween(before: readonly string[], after: readonly string[]): Step[] {
  const steps: Step[] = []
  let [i, j] = [0, 0]
  while (i < before.length || j < after.length) {
    if (i < before.length && before[i] === after[j]) {
      steps.push({ sign: ' ', line: before[i]! })
      i++
      j++
      continue
    }
    const [removed, added] = nextEqual(before, i, after, j)
    for (const line of before.slice(i, i + removed)) steps.push({ sign: '-', line })
    for (const line of after.slice(j, j + added)) steps.push({ sign: '+', line })
    i += removed
    j += added
  }
  return steps
}

/** How many lines to skip in each text, as few as possible, until the next lines are equal. */
function nextEqual(before: readonly string[], i: number, after: readonly string[], j: number): [number, number] {
  for (let lines = 1; lines <= FURTHEST; lines++) {
    for (let removed = 0; removed <= lines; removed++) {
      const line = before[i + removed]
      if (line !== undefined && line === after[j + lines - removed]) return [removed, lines - removed]
    }
  }
  return [before.length - i, after.length - j]
}

function hunksOf(steps: readonly Step[]): string {
  const changed = steps.flatMap(({ sign }, at) => (sign === ' ' ? [] : [at]))
  let text = ''
  let [oldLine, newLine, done] = [1, 1, 0]
  const pass = (from: number, to: number, sign: '-' | '+') =>
    steps.slice(from, to).filter((step) => step.sign === ' ' || step.sign === sign).length
  for (let k = 0; k < changed.length; k++) {
    const start = Math.max(done, changed[k]! - AROUND)
    while (k + 1 < changed.length && changed[k + 1]! - changed[k]! <= 2 * AROUND) k++
    const end = Math.min(steps.length, changed[k]! + AROUND + 1)
    oldLine += pass(done, start, '-')
    newLine += pass(done, start, '+')
    const [removed, added] = [pass(start, end, '-'), pass(start, end, '+')]
    text += `@@ -${place(oldLine, removed)} +${place(newLine, added)} @@\n`
    for (const { sign, line } of steps.slice(start, end)) text += `${sign}${endLine(line)}`
    oldLine += removed
    newLine += added
    done = end
  }
  return text
}

/** An empty range is named by the line before it. */
const place = (line: number, count: number) => `${count === 0 ? line - 1 : line},${count}`

const endLine = (line: string) => (line.endsWith('\n') ? line : `${line}\n\\ No newline at end of file\n`)
