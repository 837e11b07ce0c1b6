import { parsePointer } from '../text/members.ts'
import type { Document } from './document.ts'
import { applyEdits, lineEnd } from './edit.ts'
import { OBJECT, type Tape } from './tape.ts'
import type { Edit } from './types.ts'

const decoder = new TextDecoder()

/** Values at JSON Pointers. */
export type Values = readonly (readonly [pointer: string, value: unknown])[]

/**
 * The document's JSON with values at these pointers, none of which may lead into another.
 * A value replaces the existing one, or becomes a new last member; missing parents are created.
 * Everything else stays byte for byte, and new text follows the existing indentation and line ends.
 * Undefined when a parent is not an object.
 */
export function insertValues(document: Document, values: Values): Uint8Array<ArrayBuffer> | undefined {
  const { tape, bytes } = document
  const unit = indentation(document)
  const edits: Edit[] = []
  const added = new Map<number, Member[]>()
  for (const [pointer, value] of values) {
    const tokens = parsePointer(pointer)!
    const present = tape.find(tokens)
    if (present >= 0) {
      edits.push({ ...ends(tape, present), text: write(value, unit, tokens.length) })
      continue
    }
    let depth = tokens.length - 1
    while (tape.find(tokens.slice(0, depth)) < 0) depth--
    const container = tape.find(tokens.slice(0, depth))
    if (tape.kind(container) !== OBJECT) return undefined
    const nested = tokens.slice(depth + 1).reduceRight<unknown>((inner, name) => ({ [name]: inner }), value)
    const text = `${JSON.stringify(tokens[depth])}:${unit === '' ? '' : ' '}${write(nested, unit, depth + 1)}`
    added.set(container, [...(added.get(container) ?? []), { depth, text }])
  }
  for (const [container, members] of added) edits.push(insertion(tape, container, members, unit))
  // In JSON a raw line end can only stand between tokens, so all of them can be replaced.
  const end = lineEnd(bytes)
  return applyEdits(
    bytes,
    edits.map((edit) => ({ ...edit, text: edit.text.replaceAll('\n', end) })),
  )
}

interface Member {
  /** The nesting depth of its container. */
  readonly depth: number
  readonly text: string
}

/** The edit that appends members to a container. */
function insertion(tape: Tape, container: number, members: readonly Member[], unit: string): Edit {
  const { depth } = members[0]!
  const before = unit === '' ? '' : line(unit, depth + 1)
  const text = members.map((member) => before + member.text).join(',')
  const last = tape.children(container).at(-1)
  if (last !== undefined) return { offset: tape.end(last + 1), endOffset: tape.end(last + 1), text: `,${text}` }
  return { ...ends(tape, container), text: `{${text}${unit === '' ? '' : line(unit, depth)}}` }
}

const ends = (tape: Tape, entry: number) => ({ offset: tape.start(entry), endOffset: tape.end(entry) })

const line = (unit: string, depth: number) => `\n${unit.repeat(depth)}`

function write(value: unknown, unit: string, depth: number): string {
  if (unit === '') return JSON.stringify(value)
  return JSON.stringify(value, null, unit).replaceAll('\n', line(unit, depth))
}

/** The indentation of the first member, when it has a line of its own. */
function indentation({ tape, bytes }: Document): string {
  if (tape.kind(0) !== OBJECT || tape.children(0).length === 0) return '  '
  const gap = decoder.decode(bytes.subarray(tape.start(0) + 1, tape.start(1)))
  return /^\s*\n([ \t]{1,8})$/.exec(gap)?.[1] ?? ''
}
