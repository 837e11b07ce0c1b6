// The only file of cli/ that writes to the streams, except the tap (a test checks that). Text from strangers can neither
// control a terminal nor reverse its writing direction.
import { visible } from '../bindings/text/hidden.ts'
import type { Host } from './host.ts'

const LAYOUT = /(\r?\n|\t)/
/** Layout, and the colors of report/pretty.ts. */
const LAYOUT_AND_COLOR = new RegExp(`(\\r?\\n|\\t|${'\x1b'}\\[(?:1|2|22|31|33|36|39)m)`)

/** Writes data to stdout. Files and pipes get these bytes; a terminal shows hidden characters as visible ones. */
export function writeData({ stdout }: Host, chunk: string | Uint8Array): void {
  if (!stdout.isTTY) stdout.write(chunk)
  else stdout.write(makeVisible(typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk), LAYOUT))
}

/** Writes text for people to stderr. Hidden characters become visible even in a file or a log. */
export function writeWords({ stderr }: Host, text: string): void {
  stderr.write(makeVisible(text, LAYOUT_AND_COLOR))
}

export function writeOver({ stderr }: Host, line: string): void {
  stderr.write(`\r\x1b[K${visible(line)}`)
}

export function clearScreen({ stderr }: Host): void {
  stderr.write('\x1b[2J\x1b[3J\x1b[H')
}

/** Makes everything visible except what the pattern matches. */
const makeVisible = (text: string, kept: RegExp): string =>
  text
    .split(kept)
    .map((part, i) => (i % 2 === 1 ? part : visible(part)))
    .join('')

/** Wraps a text into lines of at most this many columns. */
export function wrapped(text: string, columns: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length < columns) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
