// Runs several conversions as one.

import { classificationOf, isSensitive } from '../adl/places.ts'
import { validate } from '../adl/verbs.ts'
import { type Document, parse } from '../document/parse.ts'
import type { Diagnostic } from '../document/types.ts'
import { type Bounds, rowOf } from '../kinds.ts'
import { elements, isObject, type JsonObject, member, parsePointer, textMember, valueAt } from '../text/members.ts'
import { quoted } from '../text/words.ts'
import { CONVERT_CLASSIFICATION, CONVERT_INVALID, CONVERT_SCHEMA, CONVERT_TOO_LARGE } from './findings.ts'
import {
  type ConvertOptions,
  type LossOutcome,
  type LossReport,
  type LossRow,
  MOST,
  ROWS,
  type Row,
  type SourceFormat,
} from './formats.ts'
import { type Job, type Problem, Problems } from './job.ts'
import { equal, levelsOf, type MutableObject, ResultView } from './json.ts'
import { Ledger, type StepRow } from './ledger.ts'
import { converterOf } from './pairs.ts'

/** The outcome of one route from format to format. */
export interface Journey {
  /** Undefined when a problem is an error. */
  readonly document: Document | undefined
  readonly loss: LossReport
  /** The problems, with pointers into the source. */
  readonly problems: readonly Problem[]
  readonly diagnostics: readonly Diagnostic[]
  /** The number of source values that the result lacks or has changed. */
  readonly lost: number
}

/** Runs the conversions of a route, until one fails. */
export function travel(document: Document, route: readonly SourceFormat[], options: ConvertOptions): Journey {
  let from = document
  let loss: readonly StepRow[] | undefined
  let problems: readonly Problem[] = []
  let diagnostics: readonly Diagnostic[] = []
  for (let i = 1; i < route.length; i++) {
    const step = take(from, [route[i - 1]!, route[i]!], options, i < route.length - 1)
    const before = loss
    const originOf = originsOf(before ?? [])
    const located = step.problems.map((problem) =>
      before === undefined ? problem : { ...problem, pointer: originOf(problem.pointer) },
    )
    problems = [...problems, ...located]
    diagnostics = [...diagnostics, ...step.diagnostics]
    if (step.document === undefined) return { document: undefined, loss: [], problems, diagnostics, lost: 0 }
    loss = before === undefined ? step.loss : join(document.value, before, from.value, step.loss, step.document.value)
    loss = outOfTexts(loss, step.document.value)
    from = step.document
  }
  const rows = loss!.map(({ by: _, ...row }) => row)
  return { document: from, loss: rows, problems, diagnostics, lost: countLost(document.value, rows) }
}

function take(
  document: Document,
  [from, to]: readonly [SourceFormat, SourceFormat],
  options: ConvertOptions,
  passing: boolean,
) {
  const ledger = new Ledger(document.value)
  const problems = new Problems()
  // A copy: carried values are merged into the result, which must not change the document.
  const root = { pointer: '', value: structuredClone(document.value) as JsonObject }
  const job: Job = { document, root, options, ledger, problems, passing }
  const product = converterOf(from, to)!(job)
  if (from === 'adl' && !problems.fatal) tellClassified(job)
  const bounds = boundsOf(to, passing)
  const loss = problems.fatal ? [] : ledger.close(product.baggage, product.document, bounds.depth)
  const text = problems.fatal ? undefined : write(product.document, bounds, problems)
  if (text === undefined || problems.fatal) {
    return { document: undefined, loss, problems: problems.found, diagnostics: [] }
  }
  const made = parse(text)
  if (to === 'adl' && !passing && made.document !== undefined) tellInvalid(made.document, loss, problems)
  return { document: made.document, loss, problems: problems.found, diagnostics: made.diagnostics }
}

// Other formats have no data classification, so readers of the result do not see it (ADL 10.4).

/**
 * Reports the parts that handle confidential or restricted data: the agent, and tools and resources that declare or
 * inherit it.
 */
function tellClassified({ document, root, problems }: Job): void {
  const whose = new Map<string, { readonly level: string; readonly names: string[] }>()
  const look = (pointer: string, name: string) => {
    const found = classificationOf(document, pointer)
    const level = textMember(found, 'sensitivity')?.value
    if (found === undefined || !isSensitive(level)) return
    const known = whose.get(found.pointer)
    if (known === undefined) whose.set(found.pointer, { level, names: [name] })
    else known.names.push(name)
  }
  look('', 'the agent')
  for (const [list, kind] of LISTS) {
    for (const entry of elements(root, list, isObject)) {
      look(entry.pointer, `${kind} ${quoted(textMember(entry, 'name')?.value ?? '')}`)
    }
  }
  for (const [pointer, { level, names }] of whose) {
    const shown =
      names.length > MOST_NAMES ? [...names.slice(0, MOST_NAMES), `${names.length - MOST_NAMES} more`] : names
    problems.report(
      CONVERT_CLASSIFICATION,
      pointer,
      `${level} data of ${shown.join(', ')}: readers of the result cannot see that`,
    )
  }
}

const LISTS = [
  ['tools', 'tool'],
  ['resources', 'resource'],
] as const
const MOST_NAMES = 5

/** Nobody would read more. */
const MOST_SHOWN = 100

/** Reports what ADL does not allow in the resulting definition: carried parts may have been edited since. */
function tellInvalid(definition: Document, loss: readonly StepRow[], problems: Problems): void {
  const { diagnostics } = validate(definition, { ruleset: 'spec', maxDiagnostics: MOST_SHOWN })
  const unjudged = problems.found.filter(({ rule }) => rule === CONVERT_SCHEMA)
  const originOf = originsOf(loss)
  for (const { severity, code, detail, source } of diagnostics) {
    const pointer = source.pointer ?? ''
    const origin = originOf(pointer)
    // A schema that cannot be used is reported already.
    if (severity !== 'error' || unjudged.some((row) => `${row.pointer}/`.startsWith(`${origin}/`))) continue
    problems.report(
      CONVERT_INVALID,
      origin,
      `${code} at ${pointer === '' ? 'the root' : pointer} of the result: ${detail}`,
    )
  }
}

// Joins the loss reports of several steps into one.

/** From the mildest outcome to the worst: the last of several counts. */
const WORSE: readonly LossOutcome[] = ['kept', 'renamed', 'changed', 'dropped']

/**
 * Joins the outcomes of two steps; `made` is the result of the second. Members that source and target share are
 * reported one by one. For a part that was rewritten, its worst outcome counts.
 */
export function join(
  source: unknown,
  first: readonly StepRow[],
  between: unknown,
  second: readonly StepRow[],
  made: unknown,
): readonly StepRow[] {
  const tree = new Tree(second)
  const isWhole = !second.some(isLost)
  const shown = new ResultView(made)
  const rows: StepRow[] = []
  for (const row of first) {
    if (row.target !== undefined) {
      if (row.pointer === undefined) for (const one of later(row, tree.find(row.target))) rows.push(one)
      else for (const one of follow({ ...row, pointer: row.pointer }, row.target, source, between, tree)) rows.push(one)
    } else if (row.by === undefined) rows.push(row)
    else if (row.by !== '') rows.push(fall(row, tree.find(row.by)))
    else rows.push(isWhole || shown.shows(valueAt(source, row.pointer!), '') ? row : gone(row))
  }
  const added = second.filter(({ pointer }) => pointer === undefined)
  return [...rows.filter(isOfSource), ...rows.filter((row) => !isOfSource(row)), ...added]
}

const isOfSource = ({ pointer }: LossRow) => pointer !== undefined

const isLost = ({ pointer, outcome }: LossRow) =>
  pointer !== undefined && (outcome === 'dropped' || outcome === 'changed')

const worstOf = (rows: readonly StepRow[]): StepRow | undefined =>
  [...rows].sort((a, b) => WORSE.indexOf(b.outcome) - WORSE.indexOf(a.outcome))[0]

/** The outcome for something implied by a place that is gone. */
const gone = ({ pointer, detail }: StepRow): StepRow => ({
  pointer: pointer!,
  outcome: 'dropped',
  detail: `${detail}, which is not complete`,
})

/** The outcome for something implied by a place: that of the place. */
function fall(row: StepRow, { above, below }: Found): StepRow {
  const fate = above?.row ?? worstOf(below)
  if (fate === undefined || isLost(fate)) return gone(row)
  if (above === undefined) return { ...row, by: '' }
  return { ...row, by: fate.target === undefined ? fate.by : fate.target + above.rest }
}

interface Found {
  /** The row that covers the place, and the rest of the path within it. */
  readonly above: { readonly row: StepRow; readonly rest: string } | undefined
  readonly below: readonly StepRow[]
}

/**
 * The outcome for something that the first step added, or made from another file; nothing if the second step dropped an
 * addition.
 */
function later(row: LossRow, { above, below }: Found): LossRow[] {
  const fates = above === undefined ? below : [above.row]
  const [kept] = fates.filter(({ outcome, target }) => outcome !== 'dropped' && target !== undefined)
  const { file, detail } = row
  if (kept !== undefined) return [{ ...row, target: `${kept.target}${above?.rest ?? ''}` }]
  return file === undefined ? [] : [{ file, outcome: 'dropped', detail: worstOf(fates)?.detail ?? detail }]
}

function follow(
  row: StepRow & { readonly pointer: string },
  target: string,
  source: unknown,
  between: unknown,
  tree: Tree,
): StepRow[] {
  const { above, below } = tree.find(target)
  if (above !== undefined) return [chain(row, row.pointer, above.row, above.rest)]
  if (below.length === 0) return [{ pointer: row.pointer, outcome: 'changed', detail: row.detail }]
  if (equal(valueAt(source, row.pointer), valueAt(between, target))) {
    return below.map((next) => chain(row, row.pointer + next.pointer!.slice(target.length), next, ''))
  }
  const { target: _left, ...rest } = chain(row, row.pointer, worstOf(below)!, '')
  return [rest]
}

/** The row for a value of the source that passed through both steps. */
function chain(row: StepRow, pointer: string, next: StepRow, rest: string): StepRow {
  const worse = WORSE.indexOf(row.outcome) > WORSE.indexOf(next.outcome) ? row : next
  const detail = row.detail === next.detail || row.outcome === 'kept' ? next.detail : `${row.detail}; ${next.detail}`
  const target = next.target === undefined ? undefined : next.target + rest
  return { pointer, ...(target === undefined ? { by: next.by } : { target }), outcome: worse.outcome, detail }
}

/** Points the rows of values inside a string to the string: such values have no place of their own. */
function outOfTexts(loss: readonly StepRow[], made: unknown): readonly StepRow[] {
  return loss.map((row) => (row.target === undefined ? row : { ...row, target: ofText(row.target, made) }))
}

function ofText(target: string, made: unknown): string {
  let value = made
  let place = ''
  for (const token of target.split('/').slice(1)) {
    if (typeof value === 'string') return place
    place += `/${token}`
    const [name] = parsePointer(`/${token}`) ?? []
    value = Array.isArray(value) ? value[Number(name)] : member(isObject(value) ? value : undefined, name ?? '')
  }
  return target
}

/** Finds the place in the source that a place of the intermediate document comes from; empty if no row shows it. */
export function originsOf(first: LossReport): (place: string) => string {
  const origins = new Map<string, string>()
  for (const { pointer, target } of first) {
    if (pointer !== undefined && target !== undefined && !origins.has(target)) origins.set(target, pointer)
  }
  return (place) => {
    let at = place
    while (at !== '' && !origins.has(at)) at = at.slice(0, at.lastIndexOf('/'))
    return origins.get(at) ?? ''
  }
}

/** The number of lost values of the source: all of those in a dropped part. */
export function countLost(source: unknown, loss: LossReport): number {
  let count = 0
  for (const row of loss) if (isLost(row)) count += countLeaves(valueAt(source, row.pointer!))
  return count
}

function countLeaves(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  const inner = Object.values(value)
  return inner.length === 0 ? 1 : inner.reduce<number>((sum, part) => sum + countLeaves(part), 0)
}

/** Rows, indexed by their places. */
class Tree {
  readonly #rows = new Map<string, StepRow>()
  readonly #below = new Map<string, StepRow[]>()

  constructor(rows: readonly StepRow[]) {
    for (const row of rows) {
      if (row.pointer === undefined) continue
      this.#rows.set(row.pointer, row)
      for (let at = row.pointer.lastIndexOf('/'); at >= 0; at = row.pointer.lastIndexOf('/', at - 1)) {
        const parent = row.pointer.slice(0, at)
        const list = this.#below.get(parent)
        if (list === undefined) this.#below.set(parent, [row])
        else list.push(row)
        if (at === 0) break
      }
    }
  }

  find(place: string): Found {
    for (let at = place.length; at >= 0; at = at === 0 ? -1 : place.lastIndexOf('/', at - 1)) {
      const row = this.#rows.get(place.slice(0, at))
      if (row !== undefined) return { above: { row, rest: place.slice(at) }, below: [] }
    }
    return { above: undefined, below: this.#below.get(place) ?? [] }
  }
}

/** The most octets of an Agent Card (Agent Card 7.6). */
const LARGEST_CARD = 65_535

const ENDLESS: Bounds = { bytes: Number.POSITIVE_INFINITY, depth: Number.POSITIVE_INFINITY }

/** The limits of the result; those of the format do not apply to an intermediate one. */
function boundsOf(to: SourceFormat, passing: boolean): Bounds {
  if (passing) return ENDLESS
  const { kind }: Row = ROWS.find(({ format }) => format === to)!
  const bounds = kind === undefined ? MOST : rowOf(kind).bounds
  return to === 'card' ? { ...bounds, bytes: LARGEST_CARD } : bounds
}

const encoder = new TextEncoder()

/** Writes the result as text for people, without spaces if it would be too large with them. */
function write(document: MutableObject, { bytes, depth }: Bounds, problems: Problems): string | undefined {
  const levels = levelsOf(document)
  if (levels > depth) {
    problems.report(CONVERT_TOO_LARGE, '', `the result would have ${levels} levels; at most ${depth} are allowed`)
    return undefined
  }
  const text = JSON.stringify(document, null, 2)
  // A UTF-16 unit has at most three octets, so most texts need not be counted.
  if (text.length * 3 <= bytes || encoder.encode(text).length <= bytes) return text
  const compact = JSON.stringify(document)
  const octets = encoder.encode(compact).length
  if (octets <= bytes) return compact
  const heaviest = Object.entries(document)
    .map(([name, value]) => ({ name, octets: encoder.encode(JSON.stringify(value)).length }))
    .sort((a, b) => b.octets - a.octets)
    .slice(0, 3)
  const names = heaviest.map((member) => `${member.name} ${member.octets}`).join(', ')
  const detail = `the result would have ${octets} octets; at most ${bytes} are allowed: ${names}`
  problems.report(CONVERT_TOO_LARGE, '', `${detail}; carry: 'nothing' leaves out carried members`)
  return undefined
}
