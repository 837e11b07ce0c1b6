import { beforeAll, describe, expect, test } from 'vitest'
import { canonicalizeValue } from '../../bindings/core/value.ts'
import { instance } from '../../bindings/wasm/instance.ts'
import { BUILDS } from '../support/builds.ts'
import { random } from '../support/random.ts'
import { refusalOf, textOf } from './support.ts'

// Dense numbers and texts to escape are marked, and the core writes them. JSON.stringify writes arrays of them as RFC
// 8785 does.
const same = (value: unknown) => {
  const came = textOf(value)
  if (came !== JSON.stringify(value)) expect(came).toBe(JSON.stringify(value))
}

describe.each(BUILDS)('$name', ({ use }) => {
  beforeAll(use)
  const next = random(45)
  const below = (n: number) => Math.floor(next() * n)
  const double = () => (below(9) === 0 ? -0 : (next() - 0.5) * 10 ** (below(40) - 20))

  test('[rfc8785/3.2.2.3-1] lists of doubles of every length up to where marks begin, and around a full block', () => {
    for (const length of [...Array(40).keys(), 511, 512, 513, 519, 520, 521, 522, 1032, 1033, 1034, 5000]) {
      same(Array.from({ length }, double))
    }
  })

  test('[rfc8785/3.2.2.3-1] integers around the powers of ten and of two, negative ones too', () => {
    const powers = [...Array(22).keys()].map((k) => 10 ** k).concat([...Array(70).keys()].map((k) => 2 ** k))
    same(powers.flatMap((power) => [power - 1, power, power + 1, -power, 1 - power, power + 0.5]))
  })

  test('[rfc8785/3.2.2.2-2] texts with each character to escape, at each offset, up to every limit', () => {
    const escaped = [...Array(32).keys()]
      .map((code) => String.fromCharCode(code))
      .concat('"', '\\', '\u007f', 'é', '😀')
    for (const length of [40, 47, 48, 49, 64, 200, 8190, 8193, 20_000]) {
      const texts = escaped.map((character, i) => `${'x'.repeat(i)}"${'y'.repeat(length - 1 - i)}${character}é中😀z`)
      same([...texts, ...texts])
      same(escaped.map((character) => `\n${character.repeat(length)}`))
    }
  })

  test('text and numbers in any order, near each other and far apart', () => {
    for (let i = 0; i < 300; i++) {
      const parts: (() => unknown)[] = [
        double,
        () => below(1e9),
        () => `${'a'.repeat(below(60))}\t${'"\\b'.repeat(below(80))}`,
        () => '検索'.repeat(below(30)),
        () => ({ a: double(), b: [double(), null] }),
        () => 'plain '.repeat(below(below(8) === 0 ? 9000 : 60)),
      ]
      const few = parts.slice(0, 1 + below(parts.length))
      same(Array.from({ length: below(120) }, () => few[below(few.length)]!()))
    }
  })

  test('[rfc8785/3.2.2.2-3] a lone surrogate and an infinity are refused at their place among marks', () => {
    const numbers = Array.from({ length: 20 }, () => next())
    const text = `"${'x'.repeat(60)}`
    const many = Array.from({ length: 20 }, () => text)
    expect(refusalOf([...many, `${text}\ud800`])).toMatchObject({ source: { pointer: '/20' } })
    expect(refusalOf([...many, `${text}\udc00x`])).toEqual(refusalOf([...many.map(() => 'x'), '\udc00']))
    expect(refusalOf([...numbers, Number.NaN])).toMatchObject({ source: { pointer: '/20' } })
  })

  test('a toJSON that canonicalizes other values with marks disturbs nothing', () => {
    const inner = Array.from({ length: 30 }, () => next())
    const outer = Array.from({ length: 30 }, () => next())
    let came = ''
    const asks = { toJSON: () => (came = new TextDecoder().decode(canonicalizeValue(inner))) }
    expect(textOf([outer, asks, outer])).toBe(JSON.stringify([outer, JSON.stringify(inner), outer]))
    expect(came).toBe(JSON.stringify(inner))
  })

  test('no part of the value stays in the memory of the core', () => {
    const secret = 'the only text with a zebra'
    canonicalizeValue(Array.from({ length: 40 }, (_, i) => `"${secret}${i}${'x'.repeat(60)}`))
    const { bytes } = instance()
    expect(Buffer.from(bytes.buffer).includes(secret)).toBe(false)
  })
})
