// The one place that writes to the streams: whatever strangers wrote, nothing of it commands a terminal or turns the
// direction of writing there. A test holds that no other file of cli/ writes to them.
import { visible } from '../bindings/text/hidden.ts'
import type { Host } from './host.ts'

const LAYOUT = /(\r?\n|\t)/
/** Layout, and the colors of report/style.ts. */
const LAYOUT_AND_COLOR = new RegExp(`(\\r?\\n|\\t|${'\x1b'}\\[(?:1|2|22|31|33|36|39)m)`)

/** Data, for stdout. A file or a pipe gets exactly these bytes; a terminal shows hidden characters as visible ones. */
export function writeData({ stdout }: Host, chunk: string | Uint8Array): void {
  if (!stdout.isTTY) stdout.write(chunk)
  else stdout.write(shown(typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk), LAYOUT))
}

/** Words for people, on stderr: they end up before people even when a file or a log comes first. */
export function writeWords({ stderr }: Host, text: string): void {
  stderr.write(shown(text, LAYOUT_AND_COLOR))
}

/** Replaces the line of the terminal that stderr is. */
export function writeOver({ stderr }: Host, line: string): void {
  stderr.write(`\r\x1b[K${visible(line)}`)
}

/** Empties the terminal that stderr is. */
export function clearScreen({ stderr }: Host): void {
  stderr.write('\x1b[2J\x1b[3J\x1b[H')
}

/** Makes everything visible but what the pattern splits at. */
function shown(text: string, kept: RegExp): string {
  return text
    .split(kept)
    .map((part, i) => (i % 2 === 1 ? part : visible(part)))
    .join('')
}
