// The steps of a run as lines of a terminal: what a step did, and below it what came of it, the time, tokens and cost.
import { durationText, factsOf, labelOf, type TimelineStep } from '../../bindings/runs/record/timeline.ts'
import { masked } from '../../bindings/runs/record/words.ts'
import { visible } from '../../bindings/text/hidden.ts'
import { isObject, isText, type JsonObject, member } from '../../bindings/text/members.ts'
import type { Host } from '../host.ts'
import { fitted } from '../report/pretty.ts'

const [INDEX, AFTER] = [5, 11]
/** A line of a pipe has no limit; rules stay below long reasons, as in a wide terminal. */
const WIDE = 120
/** The least columns of a text, however deep its step is. */
const LEAST = 20

/** The columns of the terminal; undefined for a pipe or a file, which get the rows as they are. */
export const columnsOf = (host: Host): number | undefined => (host.stdout.isTTY ? host.stdout.columns || 80 : undefined)

/** A text in these columns. */
export const inColumns = (text: string, columns: number | undefined): string =>
  columns === undefined || (text.length <= columns && /^[ -~]*$/.test(text))
    ? text
    : fitted(text, Math.max(LEAST, columns))

/** The lines of a row; of a step that has only begun, `isBegin` leaves out that it did not end. */
export function rowLines(row: TimelineStep, columns: number | undefined, isBegin = false): string {
  const { index, depth, what, after } = row
  const start = `${index.toFixed().padStart(INDEX)}${(after === undefined ? '' : `+${durationText(after)}`).padStart(AFTER)}`
  const inner = '  '.repeat(columns === undefined ? depth : Math.min(depth, columns >> 4))
  const head = `${start}  ${inner}${labelOf(row)}`
  const whole = what === undefined ? head : `${head}  ${what}`
  // The rule of a verdict goes into the same line if both fit.
  if (row.rule !== undefined && whole.length + row.rule.length + 3 <= (columns ?? WIDE))
    return `${inColumns(`${whole} (${row.rule})`, columns)}\n`
  const lines = [whole]
  const below = isBegin ? undefined : resultLine(row, columns && columns - INDEX - AFTER - 2 - inner.length)
  if (below !== undefined) lines.push(`${' '.repeat(INDEX + AFTER + 2)}${inner}${below}`)
  return lines.map((line) => `${inColumns(line, columns)}\n`).join('')
}

/** What came of a step. The facts stay whole, and the result is shortened. */
function resultLine(row: TimelineStep, columns: number | undefined): string | undefined {
  const { state, result, rule, verdict } = row
  const facts = factsOf(row).join(', ')
  if (verdict !== undefined) return rule ?? (facts === '' ? undefined : `(${facts})`)
  if (state === 'open') return `… ${facts}`
  const words = result ?? (state === 'failed' ? 'failed' : '')
  if (words === '' && facts === '') return undefined
  const mark = state === 'failed' ? '✕' : '→'
  if (facts === '') return `${mark} ${words}`
  if (words === '') return `${mark} ${facts}`
  return `${mark} ${inColumns(words, columns && columns - facts.length - 5)} (${facts})`
}

// A step as a whole: its members as indented text, so that texts of several lines stay readable.

const WHOLE = ['action/input', 'observation/error', 'observation/output', 'reflection', 'metadata']

/** All that a step says, without credentials. */
export function wholeStep(step: JsonObject): string {
  const lines: string[] = []
  for (const path of WHOLE) {
    const [first, second] = path.split('/') as [string, string?]
    const part = member(step, first)
    const value = second === undefined ? part : isObject(part) ? member(part, second) : undefined
    if (value !== undefined && value !== null) addText(second ?? first, value, '       ', lines)
  }
  return lines.map((line) => `${line}\n`).join('')
}

function addText(name: string, value: unknown, indent: string, lines: string[]): void {
  const label = `${indent}${visible(name)}:`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value)
    lines.push(members.length === 0 ? `${label} ${Array.isArray(value) ? '[]' : '{}'}` : label)
    for (const [inner, part] of members) addText(Array.isArray(value) ? '-' : inner, part, `${indent}  `, lines)
    return
  }
  const texts = masked(isText(value) ? value : String(value)).split(/\r?\n/)
  if (texts.length === 1) lines.push(`${label} ${visible(texts[0]!)}`)
  else for (const text of [label, ...texts.map((one) => `${indent}  ${visible(one)}`)]) lines.push(text)
}
