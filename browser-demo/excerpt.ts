import { visible } from '../bindings/text/hidden.ts'

const WIDTH = 80
const BEFORE = 30

export interface Excerpt {
  /** The part of the line around the place, with `…` where it was shortened. */
  readonly text: string
  /** The blanks before the carets in the line below. Tabs stay tabs, so that both lines are aligned. */
  readonly indent: string
  readonly carets: string
}

/** The part of a line around a column (from 1, in UTF-16 units), for the line above the carets. */
export function excerpt(line: string, column: number, length: number): Excerpt {
  const at = Math.min(column - 1, line.length)
  const from = onCharacter(line, line.length <= WIDTH || at <= BEFORE ? 0 : at - BEFORE)
  const to = onCharacter(line, Math.min(line.length, from + WIDTH))
  const head = `${from > 0 ? '…' : ''}${visible(line.slice(from, at))}`
  const shown = Math.max(1, Math.min(length, to - at))
  return {
    text: `${head}${visible(line.slice(at, to))}${to < line.length ? '…' : ''}`,
    indent: head.replace(/[^\t]/gu, ' '),
    carets: '^'.repeat([...line.slice(at, at + shown)].length || 1),
  }
}

/** The nearest offset before that does not split a surrogate pair. */
function onCharacter(line: string, offset: number): number {
  return /^[\udc00-\udfff]/.test(line.slice(offset, offset + 1)) ? offset - 1 : offset
}
