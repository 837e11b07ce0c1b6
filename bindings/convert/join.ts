// Joins the loss reports of several steps into one.
import { isObject, member, parsePointer, valueAt } from '../text/members.ts'
import { equal } from './json.ts'
import type { StepRow } from './ledger.ts'
import { ResultView } from './result-view.ts'
import type { LossOutcome, LossReport, LossRow } from './types.ts'

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
export function outOfTexts(loss: readonly StepRow[], made: unknown): readonly StepRow[] {
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
