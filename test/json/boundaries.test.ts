import { beforeAll, describe, expect, test } from 'vitest'
import { canonicalizeBytes, Fault } from '../../bindings/wasm/json.ts'
import { oracle } from '../oracle/json.ts'
import { BUILDS } from '../support/builds.ts'
import { casesOf, sampleOf } from '../support/cases.ts'
import { random } from '../support/random.ts'

// The core reads 8 or 16 bytes at once. These documents place each kind of byte at each offset of such a block.

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const OFFSETS = Array.from({ length: 41 }, (_, i) => i)

/** The core and the oracle agree on the text, or on the fault and its place. */
function same(bytes: Uint8Array): void {
  const came = canonicalizeBytes(bytes)
  const wanted = oracle(bytes)
  const mine = came instanceof Fault ? { ...came } : decoder.decode(came)
  const theirs = 'fault' in wanted ? wanted.fault : wanted.canonical
  if (JSON.stringify(mine) !== JSON.stringify(theirs)) expect(mine, Buffer.from(bytes).toString('hex')).toEqual(theirs)
}

const quoted = (...parts: (string | readonly number[])[]) =>
  Buffer.concat(['"', ...parts, '"'].map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))))

/** RFC 3629 section 4: what is not UTF-8, by class. */
const MALFORMED: Record<string, number[]> = {
  'a lone continuation': [0x80],
  'the last continuation': [0xbf],
  'two continuations': [0x80, 0x80],
  'an overlong sequence of two bytes': [0xc0, 0x80],
  'an overlong sequence of two bytes, C1': [0xc1, 0xbf],
  'an overlong sequence of three bytes': [0xe0, 0x9f, 0xbf],
  'an overlong sequence of four bytes': [0xf0, 0x8f, 0xbf, 0xbf],
  'a high surrogate': [0xed, 0xa0, 0x80],
  'a low surrogate': [0xed, 0xbf, 0xbf],
  'beyond U+10FFFF': [0xf4, 0x90, 0x80, 0x80],
  'a first byte F5': [0xf5, 0x80, 0x80, 0x80],
  'a first byte FF': [0xff],
  'one of two bytes': [0xdf],
  'one of three bytes': [0xe1],
  'two of three bytes': [0xe1, 0x80],
  'one of four bytes': [0xf1],
  'two of four bytes': [0xf1, 0x80],
  'three of four bytes': [0xf1, 0x80, 0x80],
  'a continuation too many': [0xc3, 0xa9, 0x80],
}
const FILLERS = ['a', 'é', '中', '😀', '\ue000']

describe.each(BUILDS)('$name, at every offset', ({ use }) => {
  beforeAll(use)

  test.each(Object.entries(MALFORMED))('[rfc8259/8.1-1] %s', (_, wrong) => {
    for (const offset of OFFSETS) {
      for (const filler of sampleOf(FILLERS, offset)) {
        const before = `${'x'.repeat(offset % 4)}${filler.repeat(offset)}`
        for (const after of ['', 'z', 'é', '中中中中中中', 'z'.repeat(20)]) {
          same(quoted(before, wrong, after))
          same(quoted(before, wrong).subarray(0, -1))
        }
      }
    }
  })

  test('the first and the last character of each length, in names and values', () => {
    for (const character of ['\u007f', '\u0080', '\u07ff', '\u0800', '\ud7ff', '\ue000', '\uffff', '𐀀', '\u{10ffff}']) {
      for (const offset of OFFSETS) {
        const text = `${'é'.repeat(offset >> 1)}${'x'.repeat(offset & 1)}${character}`
        // Orders names from U+E000 on as UTF-16 does.
        same(encoder.encode(JSON.stringify({ [`${text}😀`]: text, [`${text}\uffff`]: `${text}é`, [text]: 1 })))
        same(quoted(text, '\n'))
      }
    }
  })

  test('[rfc8785/3.2.2.2-2] each escape, and each that is malformed', () => {
    const escapes = [
      '"',
      '\\',
      '/',
      'b',
      'f',
      'n',
      'r',
      't',
      'u0000',
      'u001f',
      'u001F',
      'u0022',
      'u00e9',
      'uE000',
      'uABcd',
    ]
    escapes.push(
      'ud83d\\ude00',
      'ud83d',
      'ud83dx',
      'ud83d\\n',
      'ud83d\\u0041',
      'ude00',
      'u',
      'u12',
      'u12g4',
      'u:000',
      'u000/',
    )
    escapes.push('u@000', 'uG000', 'u`000', 'ug000', 'u\u00ff00', 'x', '0', '\u0001', 'é', '')
    for (const offset of OFFSETS) {
      for (const spelling of escapes) {
        for (const filler of sampleOf(['a', 'é', '\\n', '\\u0041', '中'], offset))
          same(quoted(filler.repeat(offset), `\\${spelling}`, 'z'.repeat(offset)))
        same(quoted('a'.repeat(offset), `\\${spelling}`).subarray(0, -1))
      }
    }
  })

  test('[rfc8259/7-1] every byte after a backslash, and as each of four digits', () => {
    for (let byte = 0; byte < 256; byte++) {
      same(quoted('\\', [byte], '000'))
      for (let at = 0; at < 4; at++) same(quoted('\\u', '0a0F'.slice(0, at), [byte], '0a0F'.slice(at + 1)))
    }
  })

  test('[rfc8785/3.2.2.3-1] numbers of 1 to 800 digits, with the point and the exponent anywhere', () => {
    const next = random(11)
    const below = (n: number) => Math.floor(next() * n)
    const some = (n: number) => Array.from({ length: n }, () => below(10)).join('')
    for (let length = 1; length <= 800; length += length < 24 ? 1 : 43) {
      for (let i = 0; i < casesOf(10); i++) {
        const digits = `${1 + below(9)}${some(length - 1)}`
        const point = below(length)
        const zeros = '0'.repeat(below(20))
        for (const token of [
          digits,
          `-${digits}`,
          `0.${zeros}${digits}`,
          `${digits}.${zeros}${digits}`,
          `${digits}.${zeros}`,
        ]) {
          for (const power of ['', `e${below(40) - 20}`, `E-${length}`, 'e', 'e+', '0', '.', '.e1'])
            same(encoder.encode(`[${token}${power},1]`))
        }
        if (point > 0) same(encoder.encode(`{"a":${digits.slice(0, point)}.${digits.slice(point)}}`))
        same(encoder.encode(`0${digits}`))
      }
    }
  })

  test('[rfc8785/3.2.2.3-1] the shortest texts of doubles stay, with a digit more or less, or another spelling', () => {
    const next = random(12)
    for (let i = 0; i < casesOf(10_000); i++) {
      const text = String((next() - 0.5) * 10 ** (Math.floor(next() * 34) - 12))
      const nearby = [
        text,
        `${text}0`,
        `${text}1`,
        text.slice(0, -1),
        `${text}e0`,
        text.replace('.', '.0'),
        text.replace('e', 'E'),
      ]
      same(encoder.encode(`[${nearby.map((token) => token.replace(/[-.e]$/, '')).join(', ')}]`))
    }
  })

  test('[rfc8785/3.2.3-3] objects of one shape, of shapes that differ little, and duplicates among them', () => {
    const next = random(13)
    const below = (n: number) => Math.floor(next() * n)
    for (let count = 2; count < 70; count += count < 12 ? 1 : 3) {
      const names = Array.from(
        { length: count },
        () => `${below(2) ? 'a common prefix ' : ''}${['é', '\ue000', '😀', 'z'][below(5)] ?? ''}${below(1e6)}`,
      )
      const objects = Array.from({ length: 12 }, (_, i) => {
        const mine = names.slice()
        // The same first and last names, and so the same slot.
        if (i % 3 === 1) mine.splice(1, 0, ...mine.splice(1 + below(count - 1), 1))
        if (i % 3 === 2) mine[1 + below(count - 1)] = `other ${i}`
        return mine
      })
      const texts = objects.map((mine) => `{${mine.map((name, i) => `${JSON.stringify(name)}: ${i}`).join(', ')}}`)
      same(encoder.encode(`[${texts.join(',')}]`))
      const twice = objects[0]!.slice()
      twice[1 + below(count - 1)] = twice[0]!
      const wrong = `{${twice.map((name) => `${JSON.stringify(name)}:0`).join(',')}}`
      same(encoder.encode(`[${texts.join(',')},${wrong}]`))
    }
  })
})
