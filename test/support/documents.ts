import { random } from './random.ts'

const CHARACTERS = [
  'a',
  'b',
  'Z',
  '0',
  '"',
  '\\',
  '\n',
  '\u0001',
  '\u001f',
  'é',
  '€',
  '\ue000',
  '\uffee',
  '😀',
  '𐀀',
  '/',
]
const MORE = ['\u007f', '\u2028', '$', ' ', '中', '\t', '\b', '\u0000']
const STRUCTURE = '{}[]",:0123456789.eE+-\\untfalser \n\0'

/** Random documents with random spelling, and broken ones, all determined by the seed. */
export function documents(seed: number) {
  const next = random(seed)
  const below = (n: number) => Math.floor(next() * n)
  const pick = <T>(list: ArrayLike<T>): T => list[below(list.length)]!
  const several = (most: number, make: () => string) => Array.from({ length: below(most) }, make).join('')

  const text = (): string => {
    const alphabet = next() < 0.5 ? CHARACTERS.slice(0, 4) : next() < 0.8 ? CHARACTERS : [...CHARACTERS, ...MORE]
    return several(next() < 0.1 ? 60 : 9, () => pick(alphabet))
  }
  const number = (): number =>
    pick([
      () => below(1000) - 500,
      () => Math.round(next() * 1e6) / 100,
      () => next(),
      () => next() * 1e-9,
      () => next() * 1e25,
      () => -0,
      () => 1e21,
      () => below(2 ** 53),
      () => next() * 10 ** (below(600) - 300),
    ])()
  const value = (depth: number): unknown => {
    const kind = next()
    if (depth <= 0 || kind < 0.35) return text()
    if (kind < 0.5) return number()
    if (kind < 0.65) return pick([null, true, false])
    if (kind < 0.8) return Array.from({ length: below(6) }, () => value(depth - 1))
    return Object.fromEntries(Array.from({ length: below(next() < 0.05 ? 60 : 8) }, () => [text(), value(depth - 1)]))
  }

  const space = () => (next() < 0.6 ? '' : several(next() < 0.1 ? 40 : 4, () => pick(' \n\r\t')))
  const spellCharacter = (c: string): string => {
    const plain = JSON.stringify(c).slice(1, -1)
    if (next() < 0.88 && plain === c) return c
    if (c === '/' || (plain !== c && next() < 0.5)) return c === '/' ? '\\/' : plain
    return [...Array(c.length).keys()]
      .map((i) => c.charCodeAt(i).toString(16).padStart(4, '0'))
      .map((hex) => `\\u${next() < 0.5 ? hex.toUpperCase() : hex}`)
      .join('')
  }
  const spellText = (s: string) => `"${[...s].map(spellCharacter).join('')}"`
  const spellNumber = (x: number): string => {
    if (Object.is(x, -0)) return pick(['-0', '-0.0', '-0e5'])
    return pick([JSON.stringify(x), x.toExponential(), x.toExponential().toUpperCase(), x.toPrecision(21)])
  }
  /** The value as JSON with random white space, escapes and number spellings. */
  const spell = (v: unknown): string => {
    if (typeof v === 'string') return spellText(v)
    if (typeof v === 'number') return spellNumber(v)
    if (v === null || typeof v === 'boolean') return String(v)
    if (Array.isArray(v)) return `[${space()}${v.map((item) => spell(item) + space()).join(`,${space()}`)}]`
    const members = Object.entries(v as object).map(
      ([name, member]) => `${spellText(name)}${space()}:${space()}${spell(member)}${space()}`,
    )
    return `{${space()}${members.join(`,${space()}`)}}`
  }
  /** Adds, removes or changes one or two bytes, or cuts off the end. */
  const damage = (document: Uint8Array): Uint8Array => {
    const bytes = [...document]
    for (let n = 1 + below(2); n > 0; n--) {
      const at = below(bytes.length)
      const byte = next() < 0.1 ? below(256) : pick(STRUCTURE).charCodeAt(0)
      pick([
        () => bytes.splice(at, 1),
        () => bytes.splice(at, 0, byte),
        () => bytes.splice(at, 1, byte),
        () => bytes.splice(at),
      ])()
    }
    return Uint8Array.from(bytes)
  }
  return { next, below, text, value, spell: (v: unknown) => space() + spell(v) + space(), damage }
}
