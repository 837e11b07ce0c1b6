/**
 * An index of agent cards in its own instance of the core. bindings/core/index-search.ts validates the arguments.
 * @module
 */
import { type Instance, ownInstance, utf8Length } from './instance.ts'
import { Fault } from './json.ts'

/** The signals that rank an agent in addition to its card. */
export interface Signals {
  readonly reputation?: number
  readonly availability?: number
  readonly rating?: number
  /** Excludes the agent from all results, for example while it has no capacity left. */
  readonly excluded?: boolean
}

/** The part of a card that the index needs, prepared by its reader. */
export interface CardRecord {
  readonly id: string
  readonly tags?: readonly string[]
  /** Words found by a tokenizer for the language; they count like the words of the text. */
  readonly words?: readonly string[]
  readonly text?: string
}

/** One number for each factor of the score. */
export interface Factors {
  readonly tags: number
  readonly text: number
  readonly reputation: number
  readonly availability: number
  readonly rating: number
}

export interface Hit {
  readonly id: string
  /** The weighted sum of the factors, rounded to millionths. */
  readonly score: number
  readonly factors: Factors
  /** The tags of the query that matched. */
  readonly matchedTags: readonly string[]
}

/** The numbers that determine the weights of words. Those of several indexes can be added. */
export interface Statistics {
  /** The number of cards in the index. */
  readonly documents: number
  /** The number of words in all cards. */
  readonly length: number
  /** For each different word of the query, in order, the number of cards that contain it. */
  readonly frequencies: readonly number[]
}

/** The terms of a query, in the form of a card that contains all of them. */
export type Terms = Omit<CardRecord, 'id'>

const NO_ITEMS: readonly string[] = []
/** Longer cards, records and queries are refused because of their length alone and need not be written. */
const MOST_BYTES = 65_535
const HEADER_BYTES = 16
/** A hit in the core's result takes 56 bytes. */
const HIT_DOUBLES = 7
/** Indexes description and skills, for programs that load a saved index and add cards as bytes. */
const TEXT_MEMBERS = 6

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Replaces lone surrogates as encoders do; some hosts lack `toWellFormed`. */
const wellFormed = (text: string) => text.replace(/\p{Surrogate}/gu, '\ufffd')

/** An instance of the core with an empty index. */
export function openIndex(): Instance {
  const core = ownInstance()
  // The hash key only has to be unpredictable for the authors of cards; it never leaves this module.
  const key = () => (Math.random() * 0x100000000) >>> 0
  core.exports.indexOpen(TEXT_MEMBERS, key(), key())
  return core
}

/** True when a card was replaced; otherwise false or a fault. */
export function addRecord(core: Instance, card: CardRecord, signals: Signals): boolean | Fault {
  const length = writeRecord(core, card.id, card)
  return answerOf(core, core.exports.indexAddRecord(length, ...numbersOf(signals)))
}

/** True when the index has the card. */
export function setSignals(core: Instance, id: string, signals: Signals): boolean {
  return core.exports.indexSignals(core.writeText(id), ...numbersOf(signals)) === 1
}

export function statisticsOf(core: Instance, terms: Terms): Statistics | Fault {
  const length = writeRecord(core, '', terms)
  const words = core.exports.indexStatistics(length)
  if (words < 0) return faultOf(core, words)
  core.renew()
  const at = core.word(0) >>> 3
  const [documents, total, ...frequencies] = new Float64Array(core.bytes.buffer).subarray(at, at + 2 + words)
  return { documents: documents as number, length: total as number, frequencies }
}

export function findHits(
  core: Instance,
  terms: Terms & { readonly statistics?: Statistics },
  { limit, minScore, weights }: { readonly limit: number; readonly minScore: number; readonly weights: Factors },
): Hit[] | Fault {
  const length = writeRecord(core, '', terms, terms.statistics)
  const { tags, text, reputation, availability, rating } = weights
  const isShared = terms.statistics === undefined ? 0 : 1
  const count = core.exports.indexQuery(length, limit, minScore, tags, text, reputation, availability, rating, isShared)
  if (count < 0) return faultOf(core, count)
  core.renew()
  return readHits(core, count, terms.tags ?? NO_ITEMS)
}

/** The saved index in chunks. Each is a view of the memory, valid until the next one is requested. */
export function* chunksOf(core: Instance, bytes: number): Generator<Uint8Array> {
  for (let first = 1; ; first = 0) {
    const length = core.exports.indexSave(bytes, first)
    core.renew()
    if (length < 0) throw new RangeError('the host gives the core no more memory')
    const last = core.word(1) === 1
    yield core.view(core.word(0), length)
    if (last) return
  }
}

/** Loads the next chunk of a saved index. Returns true after the last one, or a fault. */
export function loadChunk(core: Instance, chunk: Uint8Array): boolean | Fault {
  return answerOf(core, core.exports.indexLoad(core.write(chunk)))
}

function answerOf(core: Instance, answer: number): boolean | Fault {
  return answer < 0 ? faultOf(core, answer) : answer === 1
}

function faultOf(core: Instance, code: number): Fault {
  core.renew()
  return new Fault(code, core.word(1), -1)
}

/** Writes a record (core/rank/cards.ts), followed by the statistics; returns the length of the input. */
function writeRecord(
  core: Instance,
  id: string,
  { tags = NO_ITEMS, words = NO_ITEMS, text = '' }: Terms,
  statistics?: Statistics,
): number {
  const joined = id + tags.join('') + words.join('') + text
  const head = HEADER_BYTES + 4 * (tags.length + words.length)
  if (head + joined.length > MOST_BYTES) {
    core.reserve(MOST_BYTES + 1)
    return MOST_BYTES + 1
  }
  const tail = statistics === undefined ? 0 : 16 + 8 * statistics.frequencies.length
  const at = core.reserve(head + 3 * joined.length + tail)
  const written = encoder.encodeInto(joined, core.bytes.subarray(at + head)).written
  // All parts are encoded with one call. If the byte count equals the unit count, the same holds for every part.
  const lengthOf = written === joined.length ? (part: string) => part.length : utf8Length
  const out = core.words
  let i = at >>> 2
  let total = 0
  const putLength = (part: string) => {
    const bytes = lengthOf(part)
    out[i++] = bytes
    total += bytes
  }
  putLength(id)
  out[i++] = tags.length
  out[i++] = words.length
  putLength(text)
  for (const tag of tags) putLength(tag)
  for (const word of words) putLength(word)
  // A high surrogate at the end of one part and a low one at the start of the next became one character.
  if (total !== written) {
    const terms = { tags: tags.map(wellFormed), words: words.map(wellFormed), text: wellFormed(text) }
    return writeRecord(core, id, terms, statistics)
  }
  if (statistics !== undefined) {
    const { documents, length, frequencies } = statistics
    const numbers = new Uint8Array(new Float64Array([documents, length, ...frequencies]).buffer)
    core.bytes.set(numbers, at + head + written)
  }
  return head + written + tail
}

function readHits(core: Instance, count: number, tags: readonly string[]): Hit[] {
  const numbers = new Float64Array(core.bytes.buffer)
  const at = core.word(0) >>> 3
  let id = core.word(1)
  // All ids are decoded with one call. If the text has as many units as bytes, the same holds for each id.
  const ids = decoder.decode(core.view(id, core.word(2)))
  const ascii = ids.length === core.word(2)
  const hits = new Array<Hit>(count)
  let from = 0
  for (let n = 0; n < count; n++) {
    const i = at + n * HIT_DOUBLES
    const matched = core.words[2 * i + 12] as number
    const length = core.words[2 * i + 13] as number
    hits[n] = {
      id: ascii ? ids.slice(from, from + length) : decoder.decode(core.view(id, length)),
      score: numbers[i] as number,
      factors: {
        tags: numbers[i + 1] as number,
        text: numbers[i + 2] as number,
        reputation: numbers[i + 3] as number,
        availability: numbers[i + 4] as number,
        rating: numbers[i + 5] as number,
      },
      matchedTags: matched === 0 ? NO_ITEMS : tags.filter((_, bit) => (matched >>> bit) & 1),
    }
    from += length
    id += length
  }
  return hits
}

/** The signals as the core takes them: NaN and the flag -1 leave the state unchanged. */
function numbersOf({
  reputation = Number.NaN,
  availability = Number.NaN,
  rating = Number.NaN,
  excluded,
}: Signals): [number, number, number, number] {
  return [reputation, availability, rating, excluded === undefined ? -1 : Number(excluded)]
}
