/**
 * An index of agent cards, in an instance of the core of its own. bindings/core/index-search.ts validates the
 * arguments.
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

export class RankIndex {
  readonly #core: Instance
  /** A view of the memory for reading hits; invalid when the memory grows. */
  #doubles = new Float64Array(0)

  constructor() {
    this.#core = ownInstance()
    // The hash key only has to be unpredictable for the authors of cards; it never leaves this module.
    const key = () => (Math.random() * 0x100000000) >>> 0
    this.#core.exports.indexOpen(TEXT_MEMBERS, key(), key())
  }

  get size(): number {
    return this.#core.exports.indexSize()
  }

  /** The size of the whole memory, which never shrinks. */
  get memoryBytes(): number {
    return this.#core.exports.memory.buffer.byteLength
  }

  /** The bytes of memory that the index uses. */
  get bytes(): number {
    return this.#core.exports.indexBytes() >>> 0
  }

  /** True when a card was replaced; otherwise false or a fault. */
  addRecord(card: CardRecord, signals: Signals): boolean | Fault {
    const { reputation = Number.NaN, availability = Number.NaN, rating = Number.NaN } = signals
    const length = this.#writeRecord(card.id, card.tags ?? NO_ITEMS, card.words ?? NO_ITEMS, card.text ?? '')
    return this.#answer(
      this.#core.exports.indexAddRecord(length, reputation, availability, rating, excludedFlag(signals)),
    )
  }

  #answer(answer: number): boolean | Fault {
    return answer < 0 ? this.#fault(answer) : answer === 1
  }

  has(id: string): boolean {
    return this.#core.exports.indexHas(this.#core.writeText(id)) === 1
  }

  /** True when the index had the card. */
  remove(id: string): boolean {
    return this.#core.exports.indexRemove(this.#core.writeText(id)) === 1
  }

  /** True when the index has the card. */
  setSignals(id: string, signals: Signals): boolean {
    const { reputation = Number.NaN, availability = Number.NaN, rating = Number.NaN } = signals
    const length = this.#core.writeText(id)
    return this.#core.exports.indexSignals(length, reputation, availability, rating, excludedFlag(signals)) === 1
  }

  statistics({ tags = NO_ITEMS, words: asked = NO_ITEMS, text = '' }: Terms): Statistics | Fault {
    const length = this.#writeRecord('', tags, asked, text)
    const words = this.#core.exports.indexStatistics(length)
    if (words < 0) return this.#fault(words)
    const at = this.#renew() >>> 3
    const [documents, total, ...frequencies] = this.#doubles.subarray(at, at + 2 + words)
    return { documents: documents as number, length: total as number, frequencies }
  }

  query(
    { tags = NO_ITEMS, words = NO_ITEMS, text = '' }: Terms,
    limit: number,
    least: number,
    weights: Factors,
    statistics: Statistics | undefined,
  ): Hit[] | Fault {
    const length = this.#writeRecord('', tags, words, text, statistics)
    const count = this.#core.exports.indexQuery(
      length,
      limit,
      least,
      weights.tags,
      weights.text,
      weights.reputation,
      weights.availability,
      weights.rating,
      statistics === undefined ? 0 : 1,
    )
    if (count < 0) return this.#fault(count)
    const at = this.#renew()
    return this.#readHits(at, count, tags)
  }

  /** The saved index in chunks. Each is a view of the memory, valid until the next one is requested. */
  *chunks(bytes: number): Generator<Uint8Array> {
    const core = this.#core
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
  load(chunk: Uint8Array): boolean | Fault {
    return this.#answer(this.#core.exports.indexLoad(this.#core.write(chunk)))
  }

  #fault(code: number): Fault {
    this.#core.renew()
    return new Fault(code, this.#core.word(1), -1)
  }

  /** Renews the views after a call. Returns word 0, the address of the output. */
  #renew(): number {
    this.#core.renew()
    const buffer = this.#core.bytes.buffer
    if (this.#doubles.buffer !== buffer) this.#doubles = new Float64Array(buffer)
    return this.#core.word(0)
  }

  #writeTooMuch(): number {
    this.#core.reserve(MOST_BYTES + 1)
    return MOST_BYTES + 1
  }

  /** Writes a record (core/rank/cards.ts), followed by the statistics; returns the length of the input. */
  #writeRecord(
    id: string,
    tags: readonly string[],
    words: readonly string[],
    text: string,
    statistics?: Statistics,
  ): number {
    const core = this.#core
    const joined = id + tags.join('') + words.join('') + text
    const head = HEADER_BYTES + 4 * (tags.length + words.length)
    if (head + joined.length > MOST_BYTES) return this.#writeTooMuch()
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
      return this.#writeRecord(id, tags.map(wellFormed), words.map(wellFormed), wellFormed(text), statistics)
    }
    if (statistics !== undefined) {
      const { documents, length, frequencies } = statistics
      const numbers = new Uint8Array(new Float64Array([documents, length, ...frequencies]).buffer)
      core.bytes.set(numbers, at + head + written)
    }
    return head + written + tail
  }

  #readHits(at: number, count: number, tags: readonly string[]): Hit[] {
    const core = this.#core
    const numbers = this.#doubles
    let id = core.word(1)
    // All ids are decoded with one call. If the text has as many units as bytes, the same holds for each id.
    const ids = decoder.decode(core.view(id, core.word(2)))
    const ascii = ids.length === core.word(2)
    const hits = new Array<Hit>(count)
    let from = 0
    for (let n = 0; n < count; n++) {
      const i = (at >>> 3) + n * HIT_DOUBLES
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
}

/** The flag for the core: -1 leaves the state unchanged. */
function excludedFlag(signals: Signals): number {
  return signals.excluded === undefined ? -1 : Number(signals.excluded)
}
