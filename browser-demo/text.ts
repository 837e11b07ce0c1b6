/** A place in a text: lines and columns from 1, columns in UTF-16 units. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** The end of a range, as a place. */
export function endOf({ endLine, endColumn }: { readonly endLine: number; readonly endColumn: number }): Place {
  return { line: endLine, column: endColumn }
}

/** The padding of the text areas and the height of a line, in pixels, as style.css sets them. */
export const PADDING = 12
export const LINE = 20

/** One line of a text whose line ends are all `\n`, like the value of a textarea. */
export function lineOf(text: string, line: number): string {
  const start = offsetOf(text, { line, column: 1 })
  const end = text.indexOf('\n', start)
  return text.slice(start, end < 0 ? text.length : end)
}

/** The offset of a place in such a text. */
function offsetOf(text: string, { line, column }: Place): number {
  let start = 0
  for (let n = 1; n < line; n++) {
    const end = text.indexOf('\n', start)
    if (end < 0) break
    start = end + 1
  }
  return Math.min(start + column - 1, text.length)
}

/** Selects from `start` to `end` and scrolls there: browsers scroll only to selections made with the keyboard. */
export function revealInArea(area: HTMLTextAreaElement, start: Place, end: Place): void {
  const from = offsetOf(area.value, start)
  area.focus()
  area.setSelectionRange(from, Math.max(from, offsetOf(area.value, end)))
  area.scrollTop = (start.line - 1) * LINE - area.clientHeight / 3
  area.scrollLeft = Math.max(0, start.column * characterWidth(area) - area.clientWidth * 0.7)
}

function characterWidth(area: HTMLTextAreaElement): number {
  const context = document.createElement('canvas').getContext('2d')
  if (context === null) return LINE / 2
  context.font = getComputedStyle(area).font
  return context.measureText('0').width
}
