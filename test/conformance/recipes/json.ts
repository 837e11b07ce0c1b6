import { type Content, contentBytes, type Vector } from '../content.ts'
import {
  address,
  type Call,
  CONTINUES,
  counted,
  documents,
  fixed,
  length,
  literal,
  returned,
  word,
} from '../program.ts'
import { joinTexts, NO_INPUT, type Recipe, readFault, Slots, text, words } from './recipe.ts'

const DEPTH = 1024
const WARNINGS = ['', 'integer', 'underflow']
const TAPE_KINDS = ['null', 'false', 'true', 'number', 'string', 'array', 'object', 'name']

const depth = (vector: Vector) => literal((vector['depth'] as number | undefined) ?? DEPTH)
const pointers = (vector: Vector) => vector['pointers'] as readonly string[]

const warnings = [word(3), counted(4, 3, 8, 64)]
function readWarnings(outputs: readonly Uint8Array[]): unknown {
  const list = words(outputs[1]!)
  return Array.from({ length: list.length / 2 }, (_, i) => [WARNINGS[list[2 * i]!], list[2 * i + 1]])
}

export const canonicalize: Recipe = {
  calls(vector) {
    const input = contentBytes(vector as Content)
    return [{ name: 'canonicalize', input, args: [length, depth(vector)], outputs: [returned(), ...warnings] }]
  },
  read: ({ outputs }) => ({ text: text(outputs[0]!), warnings: readWarnings(outputs.slice(1)) }),
}

export const isCanonical: Recipe = {
  calls(vector) {
    const input = contentBytes(vector as Content)
    return [{ name: 'isCanonical', input, args: [length, depth(vector)], outputs: warnings }]
  },
  read: ({ got, outputs }) => ({ canonical: got === 1, warnings: readWarnings(outputs) }),
}

export const canonicalizeWithout: Recipe = {
  calls(vector) {
    const document = contentBytes(vector as Content)
    const head = joinTexts(pointers(vector))
    const input = new Uint8Array(head.length + document.length)
    input.set(head)
    input.set(document, head.length)
    const count = pointers(vector).length
    const args = [literal(document.length), literal(head.length), literal(count), depth(vector)]
    return [{ name: 'canonicalizeWithout', input, args, outputs: [returned(), fixed(5, count, 8)] }]
  },
  read({ outputs }, vector) {
    const document = contentBytes(vector as Content)
    const found = words(outputs[1]!)
    const removed = pointers(vector).map((_, i) => {
      const start = found[2 * i]!
      return start === 0xffff_ffff ? null : text(document.subarray(start, found[2 * i + 1]))
    })
    return { text: text(outputs[0]!), removed }
  },
}

export const canonicalizeMany: Recipe = {
  calls(vector) {
    const all = (vector['documents'] as Content[]).map(contentBytes)
    const args = [length, literal(all.length), depth(vector)]
    return [{ name: 'canonicalizeMany', input: spread(all), args, outputs: [documents()] }]
  },
  read({ outputs }, _vector, names) {
    const results = Array.from({ length: outputs.length / 2 }, (_, i) => {
      const [got, rest] = [words(outputs[2 * i]!)[0]! | 0, outputs[2 * i + 1]!]
      return got < 0 ? readFault(got, [rest.subarray(0, 4), rest.subarray(4)], names) : text(rest)
    })
    return { documents: results }
  },
}

/** Lengths first, then each document at a multiple of 16 with 64 bytes or more behind it. */
function spread(all: readonly Uint8Array[]): Uint8Array {
  const up = (n: number) => (n + 15) & ~15
  const head = up(4 * all.length)
  const input = new Uint8Array(all.reduce((sum, document) => sum + up(document.length + 64), head))
  const view = new DataView(input.buffer)
  let at = head
  for (const [i, document] of all.entries()) {
    view.setUint32(4 * i, document.length, true)
    input.set(document, at)
    at += up(document.length + 64)
  }
  return input
}

export const readTape: Recipe = {
  calls(vector) {
    const input = contentBytes(vector as Content)
    return [{ name: 'readTape', input, args: [length, depth(vector)], outputs: [returned(16), ...warnings] }]
  },
  read({ outputs }) {
    const tape = words(outputs[0]!)
    const entries = Array.from({ length: tape.length / 4 }, (_, i) => {
      const [start, end, kind, next] = tape.subarray(4 * i, 4 * i + 4)
      return [start, end, TAPE_KINDS[kind! & 7], next, ...(kind! & 8 ? ['escaped'] : [])]
    })
    return { entries, warnings: readWarnings(outputs.slice(1)) }
  },
}

/** Asks the tape that `readTape` has just left. */
function askTape(vector: Vector, question: Omit<Call, 'flags'>): Call[] {
  return [...readTape.calls(vector, new Slots()), { ...question, flags: CONTINUES }]
}

export const tapeFind: Recipe = {
  calls(vector) {
    const input = new TextEncoder().encode(vector['pointer'] as string)
    return askTape(vector, { name: 'tapeFind', input, args: [address, length], outputs: [] })
  },
  read: ({ got }) => ({ entry: got }),
}

export const tapeAtOffset: Recipe = {
  calls(vector) {
    const args = [literal(vector['offset'] as number)]
    return askTape(vector, { name: 'tapeAtOffset', input: NO_INPUT, args, outputs: [] })
  },
  read: ({ got }) => ({ entry: got }),
}

export const tapePointer: Recipe = {
  calls(vector) {
    const args = [literal(vector['entry'] as number)]
    return askTape(vector, { name: 'tapePointer', input: NO_INPUT, args, outputs: [returned()] })
  },
  read: ({ outputs }) => ({ pointer: text(outputs[0]!) }),
}
