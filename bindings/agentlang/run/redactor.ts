// Takes the values that a run must not show out of everything that leaves it, in the forms in which they are passed on.
import { encodeBase64, encodeBase64url } from '../../keys/base64.ts'
import { joinBytes, toHex } from '../../text/bytes.ts'

/** In UTF-16 units. Shorter values are parts of too many texts, and their base64 has no fixed part. */
export const SHORTEST_SECRET = 4
/** Escapes of escapes that are looked through, as in JSON that is a text of JSON. */
const MOST_LAYERS = 4
/** Of URLs, JSON and programs: `%2F`, `%F0%9F%91%8D`, `\u002f`, `\x2f`, `\/`. */
const ESCAPE = /%[0-7][\da-f]|(?:%[89a-f][\da-f])+|\\u[\da-f]{4}|\\x[\da-f]{2}|\\[^ux]/gi
/** What tools write between the digits of long values, and the fewest digits that count as such: `12:34` is a time. */
const GAP = /[\s:]+/g
const LONG = 5
const CONTROLS: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** A text, and where each of its units begins and ends in the original. */
interface View {
  readonly text: string
  readonly starts: Uint32Array
  readonly ends: Uint32Array
  /** The shortest form that is looked for. */
  readonly least: number
}

interface Form {
  readonly name: string
  readonly text: string
}

export class Redactor {
  /** All forms of all values by their first units, the longest first. */
  readonly #forms = new Map<string, Form[]>()
  readonly #numbers = new Map<number, string>()
  /** By the hash of two units: whether a form begins with them. Most places of a text need no more. */
  readonly #starts = new Uint8Array(1 << 16)

  /**
   * @param secrets by the names that replace them. Empty values are ignored.
   * @throws {RangeError} for a value under 4 characters.
   */
  constructor(secrets: Readonly<Record<string, string>> = {}) {
    for (const [name, value] of Object.entries(secrets)) {
      if (value === '') continue
      if (value.trim().length < SHORTEST_SECRET)
        throw new RangeError(`${name}: expected at least ${SHORTEST_SECRET} characters`)
      if (Number.isFinite(Number(value))) this.#numbers.set(Number(value), name)
      for (const text of formsOf(value)) this.#add({ name, text })
    }
    for (const forms of this.#forms.values()) forms.sort((a, b) => b.text.length - a.text.length)
  }

  /** Replaces the values in all texts, numbers and names of members of a JSON value. */
  clean<Value>(value: Value): Value {
    return (this.#forms.size === 0 ? value : this.#cleanValue(value)) as Value
  }

  #cleanValue(value: unknown): unknown {
    if (typeof value === 'string') return this.#cleanText(value)
    if (typeof value === 'number') return this.#cleanNumber(value)
    if (Array.isArray(value)) return value.map((item) => this.#cleanValue(item))
    if (typeof value !== 'object' || value === null) return value
    if ('toJSON' in value && typeof value.toJSON === 'function') return this.#cleanValue(value.toJSON())
    const members = Object.entries(value).map(([name, item]) => [this.#cleanText(name), this.#cleanValue(item)])
    return Object.fromEntries(members)
  }

  #cleanNumber(value: number): unknown {
    const name = this.#numbers.get(value)
    if (name !== undefined) return `[${name}]`
    const text = this.#cleanText(String(value))
    return text === String(value) ? value : text
  }

  #cleanText(text: string): string {
    const found = viewsOf(text).flatMap((view) => this.#findIn(view))
    if (found.length === 0) return text
    found.sort((a, b) => a.start - b.start || b.end - a.end)
    let [clean, end] = ['', 0]
    for (const one of found) {
      if (one.start >= end) clean += `${text.slice(end, one.start)}[${one.name}]`
      end = Math.max(end, one.end)
    }
    return clean + text.slice(end)
  }

  #findIn({ text, starts, ends, least }: View) {
    const found: { readonly name: string; readonly start: number; readonly end: number }[] = []
    for (let i = 0; i + SHORTEST_SECRET <= text.length; i++) {
      if (this.#starts[hashAt(text, i)] === 0) continue
      const forms = this.#forms.get(text.slice(i, i + SHORTEST_SECRET))
      const form = forms?.find((one) => one.text.length >= least && text.startsWith(one.text, i))
      if (form === undefined) continue
      const end = i + form.text.length
      found.push({ name: form.name, start: starts[i]!, end: ends[end - 1]! })
      i = end - 1
    }
    return found
  }

  #add(form: Form): void {
    const start = form.text.slice(0, SHORTEST_SECRET)
    this.#starts[hashAt(start, 0)] = 1
    const forms = this.#forms.get(start)
    if (forms === undefined) this.#forms.set(start, [form])
    else if (!forms.some(({ text }) => text === form.text)) forms.push(form)
  }
}

const hashAt = (text: string, at: number) => ((text.charCodeAt(at) << 8) ^ text.charCodeAt(at + 1)) & 0xffff

/** The text itself, without its escapes layer by layer, and each of them without white space. */
function viewsOf(text: string): readonly View[] {
  const starts = new Uint32Array(text.length).map((_, i) => i)
  let view: View = { text, starts, ends: starts.map((i) => i + 1), least: SHORTEST_SECRET }
  const views = [view]
  for (let layer = 0; layer < MOST_LAYERS; layer++) {
    const next = replaceIn(view, ESCAPE, decodeEscape)
    if (next === view) break
    view = next
    views.push(view)
  }
  const dense = replaceIn(view, GAP, () => '')
  return dense === view ? views : [...views, { ...dense, least: LONG }]
}

function replaceIn(view: View, pattern: RegExp, by: (match: string) => string): View {
  const { text } = view
  const parts: string[] = []
  const [starts, ends] = [new Uint32Array(text.length), new Uint32Array(text.length)]
  let [read, written] = [0, 0]
  const copy = (end: number) => {
    parts.push(text.slice(read, end))
    starts.set(view.starts.subarray(read, end), written)
    ends.set(view.ends.subarray(read, end), written)
    written += end - read
  }
  for (const { 0: match, index } of text.matchAll(pattern)) {
    copy(index)
    const part = by(match)
    parts.push(part)
    read = index + match.length
    starts.fill(view.starts[index]!, written, written + part.length)
    ends.fill(view.ends[read - 1]!, written, written + part.length)
    written += part.length
  }
  if (read === 0) return view
  copy(text.length)
  return { ...view, text: parts.join(''), starts, ends }
}

function decodeEscape(text: string): string {
  if (text.startsWith('%'))
    return decoder.decode(Uint8Array.from(text.slice(1).split('%'), (byte) => parseInt(byte, 16)))
  if (/^\\[ux]/i.test(text)) return String.fromCharCode(parseInt(text.slice(2), 16))
  return CONTROLS[text[1]!] ?? text[1]!
}

/** What a value looks like when it is encoded: alone, or as a part of a longer text. */
function formsOf(value: string): readonly string[] {
  const texts = [value, value.trim(), JSON.stringify(value).slice(1, -1), encodeURIComponent(value.toWellFormed())]
  const encoded = texts.flatMap((text) => {
    const bytes = encoder.encode(text)
    const hex = toHex(bytes)
    return [hex, hex.toUpperCase(), ...[0, 1, 2].flatMap((before) => base64Of(bytes, before))]
  })
  const plain = [...texts, value.replaceAll(' ', '+')]
  const dense = plain.map((text) => text.replace(GAP, '')).filter((text) => text.length >= LONG)
  return [...new Set([...plain, ...dense, ...encoded])]
}

/** The digits that depend on these bytes only, when a number of bytes comes before them. */
function base64Of(bytes: Uint8Array, before: number): readonly string[] {
  const all = joinBytes([new Uint8Array(before), bytes])
  const [start, end] = [Math.ceil((before * 8) / 6), Math.floor((all.length * 8) / 6)]
  return [encodeBase64(all), encodeBase64url(all)].map((digits) => digits.slice(start, end))
}
