/**
 * An index of agent cards: calls into an instance of the core that belongs to it alone. Arguments are checked by
 * bindings/core/index-checks.ts.
 * @module
 */
import { type Instance, ownInstance } from './instance.ts'
import { Fault } from './json.ts'
import { utf8Length } from './utf8.ts'

/** What an agent's place in the ranking depends on beside its card. */
export interface Signals {
  readonly reputation?: number
  readonly availability?: number
  readonly rating?: number
  /** Keeps the agent out of every answer, such as while it has all the tasks that it takes. */
  readonly excluded?: boolean
}

/** What the index needs of a card, ready-made. */
export interface CardRecord {
  readonly id: string
  readonly tags?: readonly string[]
  /** Words found by somebody who knows the language; they count like those of the text. */
  readonly words?: readonly string[]
  readonly text?: string
}

/** One number a factor of the score. */
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

/** What the weights of words depend on. Those of several indexes add up. */
export interface Statistics {
  /** Cards in the index. */
  readonly documents: number
  /** Words in all of them. */
  readonly length: number
  /** For each different word of the query, in its order, the cards that have it. */
  readonly frequencies: readonly number[]
}

/** What is asked for. */
export interface Question {
  readonly tags: readonly string[]
  readonly words: readonly string[]
  readonly text: string
}

const NO_ITEMS: readonly string[] = []
/** Cards, records and queries beyond this are refused by their length alone: they need not be written. */
const MOST_BYTES = 65_535
const HEADER_BYTES = 16
/** A hit in the core's result has 56 bytes. */
const HIT_DOUBLES = 7

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** What encoders make of lone surrogates. `toWellFormed` is not everywhere. */
const wellFormed = (text: string) => text.replace(/\p{Surrogate}/gu, '\ufffd')

export class RankIndex {
  readonly #core: Instance
  /** View on the memory for reading hits; dies when the memory grows. */
  #doubles = new Float64Array(0)

  /** `members`: bits of what text is made of, as `indexOpen` takes them. */
  constructor(members: number) {
    this.#core = ownInstance()
    // The key of the hash tables only has to be unknown to who writes cards: no number from here is ever seen outside.
    const key = () => (Math.random() * 0x100000000) >>> 0
    this.#core.exports.indexOpen(members, key(), key())
  }

  get size(): number {
    return this.#core.exports.indexSize()
  }

  /** Bytes of the whole memory, which never shrinks: what the host has given it. */
  get memoryBytes(): number {
    return this.#core.exports.memory.buffer.byteLength
  }

  /** Bytes of memory that the index has claimed. */
  get bytes(): number {
    return this.#core.exports.indexBytes() >>> 0
  }

  /** Whether a card was replaced, or a fault. */
  addCard(card: Uint8Array, signals: Signals): boolean | Fault {
    const { reputation = Number.NaN, availability = Number.NaN, rating = Number.NaN } = signals
    const length = card.length > MOST_BYTES ? this.#writeTooMuch() : this.#core.write(card)
    return this.#answer(
      this.#core.exports.indexAddCard(length, reputation, availability, rating, excludedFlag(signals)),
    )
  }

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

  /** Whether there was such a card. */
  remove(id: string): boolean {
    return this.#core.exports.indexRemove(this.#core.writeText(id)) === 1
  }

  /** Whether there is such a card. */
  setSignals(id: string, signals: Signals): boolean {
    const { reputation = Number.NaN, availability = Number.NaN, rating = Number.NaN } = signals
    const length = this.#core.writeText(id)
    return this.#core.exports.indexSignals(length, reputation, availability, rating, excludedFlag(signals)) === 1
  }

  statistics(question: Question): Statistics | Fault {
    const length = this.#writeRecord('', question.tags, question.words, question.text)
    const words = this.#core.exports.indexStatistics(length)
    if (words < 0) return this.#fault(words)
    const at = this.#renew() >>> 3
    const [documents, total, ...frequencies] = this.#doubles.subarray(at, at + 2 + words)
    return { documents: documents as number, length: total as number, frequencies }
  }

  query(
    question: Question,
    limit: number,
    least: number,
    weights: Factors,
    statistics: Statistics | undefined,
  ): Hit[] | Fault {
    const length = this.#writeRecord('', question.tags, question.words, question.text, statistics)
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
    return this.#readHits(at, count, question.tags)
  }

  /** The saved index in chunks, each a view on the memory that is valid until the next one is asked for. */
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

  /** Takes the next chunk of a saved index. Whether it was the last, or a fault. */
  load(chunk: Uint8Array): boolean | Fault {
    return this.#answer(this.#core.exports.indexLoad(this.#core.write(chunk)))
  }

  #fault(code: number): Fault {
    this.#core.renew()
    return new Fault(code, this.#core.word(1), -1)
  }

  /** Renews the views after a call. Returns word 0, the address of its output. */
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

  /** Writes a record (core/rank/record.ts), statistics behind it; returns the length of the input. */
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
    // Encoding all at once costs one call; when it came out as long as it is, no text has more bytes than units.
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
    // Two parts whose ends are the halves of one surrogate pair became one character.
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
    // One call decodes all ids; when it gives a character a byte, each is as long as its bytes are.
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

/** -1 leaves it as it is. */
function excludedFlag(signals: Signals): number {
  return signals.excluded === undefined ? -1 : Number(signals.excluded)
}
