// The account of several steps as that of one.
import { isObject, member } from '../document/members.ts'
import { parsePointer } from '../document/pointer.ts'
import { equal } from './json.ts'
import type { LossOutcome, LossReport, LossRow } from './types.ts'

/** From what is there to what is not: of several outcomes the last one counts. */
const WORSE: readonly LossOutcome[] = ['kept', 'renamed', 'changed', 'dropped']

/**
 * What became of a source that was made into something on the way, which was made into the target. A part that both
 * have alike is told of member by member; of one that was written otherwise the worst is told that befell it.
 */
export function join(source: unknown, first: LossReport, between: unknown, second: LossReport): LossReport {
  const tree = new Tree(second)
  const rows: LossRow[] = []
  for (const row of first) {
    if (row.target === undefined) rows.push(row)
    else if (row.pointer === undefined) rows.push(...later(row, tree.find(row.target)))
    else rows.push(...follow({ ...row, pointer: row.pointer }, row.target, source, between, tree))
  }
  const added = second.filter(({ pointer }) => pointer === undefined)
  return [...rows.filter(isOfSource), ...rows.filter((row) => !isOfSource(row)), ...added]
}

const isOfSource = ({ pointer }: LossRow) => pointer !== undefined

interface Found {
  /** The row that covers the place, and what of the place is within it. */
  readonly above: { readonly row: LossRow; readonly rest: string } | undefined
  readonly below: readonly LossRow[]
}

/** The row of what the first step added: it is what became of that, or nothing when the second step left it out. */
function later(row: LossRow, { above, below }: Found): LossRow[] {
  const fates = above === undefined ? below : [above.row]
  const [kept] = fates.filter(({ outcome, target }) => outcome !== 'dropped' && target !== undefined)
  if (kept === undefined) return []
  return [{ target: `${kept.target}${above?.rest ?? ''}`, outcome: 'added', detail: row.detail }]
}

function follow(
  row: LossRow & { readonly pointer: string },
  target: string,
  source: unknown,
  between: unknown,
  tree: Tree,
): LossRow[] {
  const { above, below } = tree.find(target)
  if (above !== undefined) return [chain(row, row.pointer, above.row, above.rest)]
  if (below.length === 0) return [{ pointer: row.pointer, outcome: 'changed', detail: row.detail }]
  if (equal(valueAt(source, row.pointer), valueAt(between, target))) {
    return below.map((next) => chain(row, row.pointer + next.pointer!.slice(target.length), next, ''))
  }
  const [worst] = [...below].sort((a, b) => WORSE.indexOf(b.outcome) - WORSE.indexOf(a.outcome))
  const { target: _left, ...rest } = chain(row, row.pointer, worst!, '')
  return [rest]
}

/** One row for a place of the source whose value went from step to step. */
function chain(row: LossRow, pointer: string, next: LossRow, rest: string): LossRow {
  const worse = WORSE.indexOf(row.outcome) > WORSE.indexOf(next.outcome) ? row : next
  const detail = row.detail === next.detail || row.outcome === 'kept' ? next.detail : `${row.detail}; ${next.detail}`
  const target = next.target === undefined ? undefined : next.target + rest
  return { pointer, ...(target !== undefined && { target }), outcome: worse.outcome, detail }
}

/** What was put into a text has no place of its own there: its row tells where the text is. */
export function outOfTexts(loss: LossReport, made: unknown): LossReport {
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

/** Where a place of what was made on the way comes from: of the source, when a row tells. */
export function originOf(place: string, first: LossReport): string {
  let [from, longest] = ['', -1]
  for (const { pointer, target } of first) {
    if (pointer === undefined || target === undefined || target.length <= longest) continue
    if (place === target || place.startsWith(`${target}/`)) [from, longest] = [pointer, target.length]
  }
  return from
}

/** How many values of the source are lost: of a part that is gone, everything in it. */
export function countLost(source: unknown, loss: LossReport): number {
  let count = 0
  for (const { pointer, outcome } of loss) {
    if (pointer !== undefined && (outcome === 'dropped' || outcome === 'changed')) {
      count += countLeaves(valueAt(source, pointer))
    }
  }
  return count
}

function countLeaves(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  const inner = Object.values(value)
  return inner.length === 0 ? 1 : inner.reduce<number>((sum, part) => sum + countLeaves(part), 0)
}

function valueAt(root: unknown, pointer: string): unknown {
  let value = root
  for (const token of parsePointer(pointer) ?? []) {
    value = Array.isArray(value) ? value[Number(token)] : member(isObject(value) ? value : undefined, token)
  }
  return value
}

/** Rows by the places that they are of. */
class Tree {
  readonly #rows = new Map<string, LossRow>()
  readonly #below = new Map<string, LossRow[]>()

  constructor(rows: LossReport) {
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
