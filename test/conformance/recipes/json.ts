import { type Content, contentBytes, type Vector } from '../content.ts'
import { counted, fixed, length, literal, returned, word } from '../program.ts'
import { joinTexts, type Recipe, text, words } from './recipe.ts'

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
