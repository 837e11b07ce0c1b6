// The text of an open document, in lines, so that a change costs no more than its lines.

/** A place as LSP counts: lines and columns from 0, columns in the units of the negotiated encoding. */
export interface Position {
  readonly line: number
  readonly character: number
}

export interface Range {
  readonly start: Position
  readonly end: Position
}

export interface TextEdit {
  readonly range: Range
  readonly newText: string
}

export type Encoding = 'utf-16' | 'utf-8'

/** After each line end of LSP: CR LF, LF, or CR. */
const AFTER_LINE_END = /(?<=\r\n|\n|\r(?!\n))/
const LINE_END = /(?:\r\n|\n|\r)$/
const MARK = '\ufeff'

/** Splits a text; the last line has no line end, and may be empty. */
function linesOf(text: string): string[] {
  if (text === '') return ['']
  const lines = text.split(AFTER_LINE_END)
  if (LINE_END.test(lines.at(-1)!)) lines.push('')
  return lines
}

export class Text {
  readonly #encoding: Encoding
  #lines: string[]

  constructor(text: string, encoding: Encoding) {
    this.#encoding = encoding
    this.#lines = linesOf(text)
  }

  toString(): string {
    return this.#lines.join('')
  }

  /** The UTF-16 units of the text. */
  get length(): number {
    return this.#lines.reduce((sum, line) => sum + line.length, 0)
  }

  /** A line without its line end; empty beyond the last one. */
  line(number: number): string {
    return (this.#lines[number] ?? '').replace(LINE_END, '')
  }

  /** Replaces a range, or everything. */
  change(text: string, range?: Range): void {
    if (range === undefined) {
      this.#lines = linesOf(text)
      return
    }
    const [a, b] = [this.#place(range.start), this.#place(range.end)]
    const [from, to] = a.line < b.line || (a.line === b.line && a.unit <= b.unit) ? [a, b] : [b, a]
    // With the lines around, because the new text may join or part the halves of a CR LF.
    const [first, last] = [Math.max(0, from.line - 1), to.line + 2]
    const before = this.#lines.slice(first, from.line).join('') + this.#lines[from.line]!.slice(0, from.unit)
    const after = this.#lines[to.line]!.slice(to.unit) + this.#lines.slice(to.line + 1, last).join('')
    const changed = linesOf(before + text + after)
    const rest = this.#lines.slice(last)
    if (rest.length > 0 && changed.at(-1) === '') changed.pop()
    this.#lines = this.#lines.slice(0, first).concat(changed, rest)
  }

  /** The offset of a position in UTF-16 units. Positions beyond a line or the text count as its end. */
  offsetAt(position: Position): number {
    const { line, unit } = this.#place(position)
    let offset = unit
    for (let i = 0; i < line; i++) offset += this.#lines[i]!.length
    return offset
  }

  /** The position of an offset in UTF-16 units. */
  positionAt(offset: number): Position {
    let [line, rest] = [0, offset]
    while (line < this.#lines.length - 1 && rest >= this.#lines[line]!.length) rest -= this.#lines[line++]!.length
    return this.position(line + 1, rest + 1, false)
  }

  /** The position of a place in a finding, whose lines and columns count from 1 and whose marks have no column. */
  position(line: number, column: number, skipsMark = true): Position {
    const text = this.#lines[line - 1] ?? ''
    const mark = skipsMark && line === 1 && text.startsWith(MARK) ? 1 : 0
    const unit = column - 1 + mark
    return {
      line: line - 1,
      character: this.#encoding === 'utf-16' ? unit : Buffer.byteLength(text.slice(0, unit)),
    }
  }

  /** The edits that make this text another one: one, around everything that differs. */
  editsTo(text: string): TextEdit[] {
    const before = this.toString()
    if (before === text) return []
    const most = Math.min(before.length, text.length)
    let [head, tail] = [0, 0]
    while (head < most && before[head] === text[head]) head++
    while (tail < most - head && before.at(-1 - tail) === text.at(-1 - tail)) tail++
    // Whole lines: no edit begins between the halves of a pair or of a CR LF.
    const start = head === 0 ? 0 : before.lastIndexOf('\n', head - 1) + 1
    const next = before.indexOf('\n', before.length - tail)
    const end = next < 0 ? before.length : next + 1
    const range = { start: this.positionAt(start), end: this.positionAt(end) }
    return [{ range, newText: text.slice(start, text.length - (before.length - end)) }]
  }

  #place({ line, character }: Position): { readonly line: number; readonly unit: number } {
    const last = this.#lines.length - 1
    if (line > last) return { line: last, unit: this.#lines[last]!.length }
    const text = this.line(line)
    return { line, unit: this.#encoding === 'utf-16' ? Math.min(character, text.length) : unitsIn(text, character) }
  }
}

/** The UTF-16 units in the first bytes of a text; within a character, those before it. */
function unitsIn(text: string, bytes: number): number {
  let [units, used] = [0, 0]
  for (const character of text) {
    used += Buffer.byteLength(character)
    if (used > bytes) break
    units += character.length
  }
  return units
}

/** A range that a client sent, with numbers that exist. */
export function rangeOf(value: unknown): Range {
  const { start, end } = value as { readonly start?: unknown; readonly end?: unknown }
  return { start: positionOf(start), end: positionOf(end) }
}

export function positionOf(value: unknown): Position {
  const { line, character } = (value ?? {}) as Record<string, unknown>
  return { line: count(line), character: count(character) }
}

const count = (value: unknown) => (typeof value === 'number' && value > 0 ? Math.trunc(value) : 0)
