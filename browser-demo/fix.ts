import type { Edit } from '../bindings/document/types.ts'
import { applyEdits } from './engine.ts'

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** The text that results from applying edits to bytes, with the line ends of text areas. */
export function editedText(bytes: Uint8Array, edits: readonly Edit[]): string {
  return decoder.decode(applyEdits(bytes, edits)).replace(/\r\n?/g, '\n')
}

/** The one part in which two texts differ: everything before and after it is the same in both. */
export function changedPart(before: string, after: string): { from: number; to: number; text: string } {
  const most = Math.min(before.length, after.length)
  let head = 0
  while (head < most && before[head] === after[head]) head++
  let tail = 0
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++
  return { from: head, to: before.length - tail, text: after.slice(head, after.length - tail) }
}
