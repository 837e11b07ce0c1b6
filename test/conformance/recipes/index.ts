import type { Vector } from '../content.ts'
import {
  type Argument,
  type Call,
  counted,
  double,
  FROM_SLOT,
  fixed,
  HOLD,
  length,
  literal,
  returned,
  word,
} from '../program.ts'
import { NO_INPUT, type Recipe, type Slots, text } from './recipe.ts'

// A vector of an index is a story: steps that fill and change it, then a question. Each has an instance of its own.

export interface Signals {
  readonly reputation?: number
  readonly availability?: number
  readonly rating?: number
  readonly excluded?: boolean
}

interface CardRecord {
  readonly id: string
  readonly tags?: readonly string[]
  readonly words?: readonly string[]
  readonly text?: string
}

export type Step =
  | { readonly add: unknown; readonly signals?: Signals }
  | { readonly record: CardRecord; readonly signals?: Signals }
  | { readonly set: string; readonly signals: Signals }
  | { readonly remove: string }
  | { readonly reload: true }

export interface Question extends Omit<CardRecord, 'id'> {
  readonly limit?: number
  readonly minScore?: number
  readonly weights?: Readonly<Record<Factor, number>>
}

const FACTORS = ['tags', 'text', 'reputation', 'availability', 'rating'] as const
export type Factor = (typeof FACTORS)[number]

/** Agent Card section 5.3's baseline. */
const WEIGHTS = { tags: 0.3, text: 0.25, reputation: 0.2, availability: 0.15, rating: 0.1 }

/** Description and skills. */
const MEMBERS = 6
const CHUNK = 1 << 20
const HIT = 56

const encode = (value: string) => new TextEncoder().encode(value)

/** Four counts, the lengths, then the texts: core/rank/cards.ts. */
function recordBytes({ id, tags = [], words = [], text = '' }: CardRecord): Uint8Array<ArrayBuffer> {
  const texts = [id, ...tags, ...words, text].map(encode)
  const [idBytes, ...rest] = texts.map((bytes) => bytes.length) as [number, ...number[]]
  const head = [idBytes, tags.length, words.length, rest.at(-1)!, ...rest.slice(0, -1)]
  return Uint8Array.from([...new Uint8Array(new Uint32Array(head).buffer), ...texts.flatMap((bytes) => [...bytes])])
}

function signalArguments({ reputation, availability, rating, excluded }: Signals = {}): Argument[] {
  const numbers = [reputation, availability, rating].map((value) => double(value ?? Number.NaN))
  return [length, ...numbers, literal(excluded === undefined ? -1 : Number(excluded))]
}

/** The calls of a vector's steps; of the last one also the instance that has the index then. */
function tell(steps: readonly Step[], slots: Slots): { calls: Call[]; instance: number } {
  let instance = slots.instance()
  const open = (): Call => ({
    name: 'indexOpen',
    instance,
    input: NO_INPUT,
    args: [literal(MEMBERS), literal(1), literal(2)],
    outputs: [],
  })
  const calls = [open()]
  for (const step of steps) {
    const call = (name: string, input: Uint8Array, args: Argument[]) =>
      calls.push({ name, instance, input, args, outputs: [] })
    if ('add' in step) call('indexAddCard', encode(JSON.stringify(step.add)), signalArguments(step.signals))
    else if ('record' in step) call('indexAddRecord', recordBytes(step.record), signalArguments(step.signals))
    else if ('set' in step) call('indexSignals', encode(step.set), signalArguments(step.signals))
    else if ('remove' in step) call('indexRemove', encode(step.remove), [length])
    else {
      const slot = slots.slot()
      const args = [literal(CHUNK), literal(1)]
      calls.push({ name: 'indexSave', instance, flags: HOLD, slot, input: NO_INPUT, args, outputs: [word(1)] })
      instance = slots.instance()
      const input = new Uint8Array(new Uint32Array([slot]).buffer)
      calls.push(open(), { name: 'indexLoad', instance, flags: FROM_SLOT, input, args: [length], outputs: [] })
    }
  }
  return { calls, instance }
}

const steps = (vector: Vector) => vector['steps'] as readonly Step[]
const question = (vector: Vector) => vector['query'] as Question

export const indexQuery: Recipe = {
  calls(vector, slots) {
    const { calls, instance } = tell(steps(vector), slots)
    const { limit = 10, minScore = 0, weights = WEIGHTS, ...asked } = question(vector)
    const factors = FACTORS.map((factor) => double(weights[factor] ?? 0))
    const args = [length, literal(limit), double(minScore), ...factors, literal(0)]
    const input = recordBytes({ ...asked, id: '' })
    return [...calls, { name: 'indexQuery', instance, input, args, outputs: [returned(HIT), counted(1, 2)] }]
  },
  read({ outputs }) {
    const view = new DataView(new Uint8Array(outputs[0]!).buffer)
    const ids = outputs[1]!
    const hits: unknown[] = []
    for (let at = 0, id = 0; at < view.byteLength; at += HIT) {
      const size = view.getUint32(at + 52, true)
      hits.push([text(ids.subarray(id, id + size)), view.getFloat64(at, true)])
      id += size
    }
    return { hits }
  },
}

export const indexStatistics: Recipe = {
  calls(vector, slots) {
    const { calls, instance } = tell(steps(vector), slots)
    const input = recordBytes({ ...question(vector), id: '' })
    const { frequencies } = vector.gives as { frequencies: readonly number[] }
    return [
      ...calls,
      { name: 'indexStatistics', instance, input, args: [length], outputs: [fixed(0, 2 + frequencies.length, 8)] },
    ]
  },
  read({ outputs }) {
    const [cards, total, ...frequencies] = new Float64Array(new Uint8Array(outputs[0]!).buffer)
    return { cards, words: total, frequencies }
  },
}

/** One more step, which is refused. */
export const indexAdd: Recipe = {
  calls: (vector, slots) => tell([...steps(vector), vector['last'] as Step], slots).calls,
  read: ({ got }) => ({ replaced: got === 1 }),
}

export const indexLoad: Recipe = {
  calls(vector, slots) {
    const input = Uint8Array.from((vector['hex'] as string).match(/../g) ?? [], (byte) => Number.parseInt(byte, 16))
    return [{ name: 'indexLoad', instance: slots.instance(), input, args: [length], outputs: [] }]
  },
  read: ({ got }) => ({ last: got === 1 }),
}
