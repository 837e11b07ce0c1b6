import { type Content, contentBytes, type Vector } from '../content.ts'
import { type Call, length, literal, returned, slotAddress, slotLength } from '../program.ts'
import { type Recipe, text } from './recipe.ts'

const LIMIT = 1 << 28

/** A template is a content like a document; `variables` are in the order of their first use, as the export wants them. */
function compileCall(vector: Vector): Call {
  const input = contentBytes(vector as Content)
  return { name: 'templateCompile', input, args: [length], outputs: [returned()] }
}

/** The lengths of all values, then the values. */
function joinValues(values: readonly string[]): Uint8Array<ArrayBuffer> {
  const encoded = values.map((value) => new TextEncoder().encode(value))
  const lengths = new Uint32Array(encoded.map((bytes) => bytes.length))
  const bytes = encoded.flatMap((value) => [...value])
  return Uint8Array.from([...new Uint8Array(lengths.buffer), ...bytes])
}

export const templateCompile: Recipe = {
  calls: (vector) => [compileCall(vector)],
  read: ({ got }) => ({ compiled: got > 0 }),
}

export const templateRender: Recipe = {
  calls(vector, slots) {
    const { text, hex, build } = vector as Content
    const { slot, calls } = slots.fill(JSON.stringify([text, hex, build]), (slot) => ({ ...compileCall(vector), slot }))
    const input = joinValues(Object.values(vector['variables'] as Record<string, string>))
    const limit = literal((vector['limit'] as number | undefined) ?? LIMIT)
    const args = [length, slotAddress(slot), slotLength(slot), limit]
    return [...calls, { name: 'templateRender', input, args, outputs: [returned()] }]
  },
  read: ({ outputs }) => ({ text: text(outputs[0]!) }),
}
