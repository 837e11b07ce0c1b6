import { parsePointer } from '../text/pointer.ts'
import type { Document } from './document.ts'
import { applyEdits } from './edit.ts'
import { OBJECT } from './tape.ts'

const decoder = new TextDecoder()

/**
 * The JSON of a document with a value at a pointer: in place of the one that is there, or as a new last member, its
 * parents too where they are missing. Everything else stays byte for byte what it is; what is new follows the
 * indentation that is there. Undefined where a parent is no object.
 */
export function withMember(document: Document, pointer: string, value: unknown): Uint8Array<ArrayBuffer> | undefined {
  const { tape, bytes } = document
  const tokens = parsePointer(pointer)!
  const present = tape.find(tokens)
  const unit = indentation(document)
  if (present >= 0) {
    return replace(bytes, tape.start(present), tape.end(present), write(value, unit, tokens.length))
  }
  let depth = tokens.length - 1
  while (tape.find(tokens.slice(0, depth)) < 0) depth--
  const container = tape.find(tokens.slice(0, depth))
  if (tape.kind(container) !== OBJECT) return undefined
  const nested = tokens.slice(depth + 1).reduceRight<unknown>((inner, name) => ({ [name]: inner }), value)
  const member = `${JSON.stringify(tokens[depth])}:${unit === '' ? '' : ' '}${write(nested, unit, depth + 1)}`
  const last = tape.children(container).at(-1)
  if (last === undefined) {
    const text = unit === '' ? `{${member}}` : `{${line(unit, depth + 1)}${member}${line(unit, depth)}}`
    return replace(bytes, tape.start(container), tape.end(container), text)
  }
  const end = tape.end(last + 1)
  return replace(bytes, end, end, `,${unit === '' ? '' : line(unit, depth + 1)}${member}`)
}

const line = (unit: string, depth: number) => `\n${unit.repeat(depth)}`

function write(value: unknown, unit: string, depth: number): string {
  if (unit === '') return JSON.stringify(value)
  return JSON.stringify(value, null, unit).replaceAll('\n', line(unit, depth))
}

/** The white space before the first member, when it has a line of its own. */
function indentation({ tape, bytes }: Document): string {
  if (tape.kind(0) !== OBJECT || tape.children(0).length === 0) return '  '
  const gap = decoder.decode(bytes.subarray(tape.start(0) + 1, tape.start(1)))
  return /^\s*\n([ \t]{1,8})$/.exec(gap)?.[1] ?? ''
}

const replace = (bytes: Uint8Array, offset: number, endOffset: number, text: string) =>
  applyEdits(bytes, [{ offset, endOffset, text }])
