import type { Vector } from '../content.ts'
import { at, type Call, fixed, length, literal, returned, slotAddress, slotLength, word } from '../program.ts'
import { type Recipe, type Slots, words } from './recipe.ts'

const KINDS = ['host', 'path', 'env', 'command', 'tag']
const WARNINGS = ['', 'bare', 'middle', 'space', 'non-ascii', 'host']
const IGNORE_CASE = 1
/** Between two texts: a byte that no UTF-8 has. */
const SEPARATOR = 0xff

const kind = (vector: Vector) => literal(KINDS.indexOf(vector['kind'] as string))
const subjects = (vector: Vector) => vector['subjects'] as readonly string[]

function separated(texts: readonly string[]): Uint8Array<ArrayBuffer> {
  const encoded = texts.map((value) => new TextEncoder().encode(value))
  return Uint8Array.from(encoded.flatMap((bytes, i) => (i === 0 ? [...bytes] : [SEPARATOR, ...bytes])))
}

function compileCall(vector: Vector): Call {
  const patterns = vector['patterns'] as readonly string[]
  const flags = literal(vector['ignoreCase'] === true ? IGNORE_CASE : 0)
  const args = [length, kind(vector), flags, literal(SEPARATOR), literal(patterns.length)]
  return { name: 'patternCompile', input: separated(patterns), args, outputs: [returned()] }
}

/** The calls that have the vector's set compiled and then match its subjects. */
function matchCalls(vector: Vector, slots: Slots, call: Omit<Call, 'input' | 'args'>): Call[] {
  const key = JSON.stringify([vector['kind'], vector['ignoreCase'], vector['patterns']])
  const { slot, calls } = slots.fill(key, (slot) => ({ ...compileCall(vector), slot }))
  const args = [length, slotAddress(slot), slotLength(slot)]
  if (call.name !== 'patternTest') args.push(literal(SEPARATOR), literal(subjects(vector).length))
  return [...calls, { ...call, input: separated(subjects(vector)), args }]
}

export const patternCheck: Recipe = {
  calls(vector) {
    const input = separated([vector['pattern'] as string])
    return [{ name: 'patternCheck', input, args: [length, kind(vector)], outputs: [returned(12)] }]
  },
  read({ outputs }, _vector, names) {
    const list = words(outputs[0]!)
    const findings = Array.from({ length: list.length / 3 }, (_, i) => {
      const code = list[3 * i]! | 0
      return [code < 0 ? names.get(code) : WARNINGS[code], list[3 * i + 1], list[3 * i + 2]]
    })
    return { findings }
  },
}

export const patternCompile: Recipe = {
  calls: (vector) => [compileCall(vector)],
  read: ({ got }) => ({ compiled: got > 0 }),
}

export const patternTest: Recipe = {
  calls: (vector, slots) => matchCalls(vector, slots, { name: 'patternTest', outputs: [] }),
  read: ({ got }) => ({ matches: got === 1 }),
}

export const patternMatchFirst: Recipe = {
  calls(vector, slots) {
    return matchCalls(vector, slots, { name: 'patternMatchFirst', outputs: [fixed(0, subjects(vector).length, 4)] })
  },
  read: ({ outputs }) => ({ first: Array.from(new Int32Array(words(outputs[0]!).buffer)) }),
}

export const patternMatchAll: Recipe = {
  calls(vector, slots) {
    const outputs = [fixed(0, subjects(vector).length + 1, 4), at(1, 4), word(2)]
    return matchCalls(vector, slots, { name: 'patternMatchAll', outputs })
  },
  read({ outputs }) {
    const [offsets, list] = [words(outputs[0]!), words(outputs[1]!)]
    const matches = Array.from({ length: offsets.length - 1 }, (_, i) => [...list.subarray(offsets[i], offsets[i + 1])])
    return { matches }
  },
}
