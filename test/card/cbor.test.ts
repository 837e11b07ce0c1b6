import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { fromCbor, readCbor, toCbor, writeCbor } from '../../bindings/card/cbor.ts'
import { sign, verify } from '../../bindings/card/verbs.ts'
import { canonicalize } from '../../bindings/core/json.ts'
import { parse } from '../../bindings/document/parse.ts'
import { casesOf } from '../support/cases.ts'
import { EXAMPLE, KEY, signedCard } from './support.ts'

const bytesOf = (hex: string) => Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'))
const hexOf = (bytes: Uint8Array | undefined) => Buffer.from(bytes!).toString('hex')
const write = (json: string) => hexOf(writeCbor(parse(json).document!))
const text = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes)
const TO_25 = Array.from({ length: 25 }, (_, i) => i + 1).join(',')

/** RFC 8949 appendix A: the rows that have a JSON value, in deterministic form. */
const APPENDIX_A = [
  ['0', '00'],
  ['1', '01'],
  ['10', '0a'],
  ['23', '17'],
  ['24', '1818'],
  ['25', '1819'],
  ['100', '1864'],
  ['1000', '1903e8'],
  ['1000000', '1a000f4240'],
  ['1000000000000', '1b000000e8d4a51000'],
  ['18446744073709551615', '1bffffffffffffffff'],
  ['-18446744073709551616', '3bffffffffffffffff'],
  ['-1', '20'],
  ['-10', '29'],
  ['-100', '3863'],
  ['-1000', '3903e7'],
  ['1.1', 'fb3ff199999999999a'],
  ['1.5', 'f93e00'],
  ['3.4028234663852886e+38', 'fa7f7fffff'],
  ['1e+300', 'fb7e37e43c8800759c'],
  ['5.960464477539063e-8', 'f90001'],
  ['0.00006103515625', 'f90400'],
  ['-4.1', 'fbc010666666666666'],
  ['false', 'f4'],
  ['true', 'f5'],
  ['null', 'f6'],
  ['""', '60'],
  ['"a"', '6161'],
  ['"IETF"', '6449455446'],
  ['"\\"\\\\"', '62225c'],
  ['"ü"', '62c3bc'],
  ['"水"', '63e6b0b4'],
  ['"𐅑"', '64f0908591'],
  ['[]', '80'],
  ['[1,2,3]', '83010203'],
  ['[1,[2,3],[4,5]]', '8301820203820405'],
  [`[${TO_25}]`, '98190102030405060708090a0b0c0d0e0f101112131415161718181819'],
  ['{}', 'a0'],
  ['{"a":1,"b":[2,3]}', 'a26161016162820203'],
  ['["a",{"b":"c"}]', '826161a161626163'],
  ['{"a":"A","b":"B","c":"C","d":"D","e":"E"}', 'a56161614161626142616361436164614461656145'],
] as const

describe('[card/1.5-1] RFC 8949 appendix A', () => {
  it.each(APPENDIX_A)('%s is %s', (json, hex) => {
    expect(write(json)).toBe(hex)
    expect(readCbor(bytesOf(hex))).toBe(json)
  })

  // Integers encoded as floats are deterministic CBOR. JSON has only one number 1, so writing gives an integer.
  it.each([
    ['f90000', '0'],
    ['f98000', '0'],
    ['f93c00', '1'],
    ['f97bff', '65504'],
    ['fa47c35000', '100000'],
    ['f9c400', '-4'],
  ])('%s reads as %s', (hex, json) => {
    expect(readCbor(bytesOf(hex))).toBe(json)
  })

  it.each([
    ['c249010000000000000000', 'found a tag'],
    ['c349010000000000000000', 'found a tag'],
    ['f97c00', 'found Infinity'],
    ['f97e00', 'found NaN'],
    ['f9fc00', 'found -Infinity'],
    ['fa7f800000', 'found Infinity'],
    ['fa7fc00000', 'found NaN'],
    ['fb7ff0000000000000', 'found Infinity'],
    ['fb7ff8000000000000', 'found NaN'],
    ['f7', 'found a simple value'],
    ['f0', 'found a simple value'],
    ['f818', 'found a simple value'],
    ['f8ff', 'found a simple value'],
    ['c074323031332d30332d32315432303a30343a30305a', 'found a tag'],
    ['d74401020304', 'found a tag'],
    ['40', 'found a byte string'],
    ['4401020304', 'found a byte string'],
    ['a201020304', 'expected a text as name'],
    ['5f42010243030405ff', 'found a byte string'],
    ['7f657374726561646d696e67ff', 'found an indefinite one'],
    ['9fff', 'found an indefinite one'],
    ['83018202039f0405ff', 'found an indefinite one'],
    ['bf61610161629f0203ffff', 'found an indefinite one'],
    ['ff', 'found a break'],
  ])('refuses %s', (hex, message) => {
    expect(() => readCbor(bytesOf(hex))).toThrow(message)
  })
})

describe('accepts only one encoding (RFC 8949 section 4.2.1)', () => {
  it.each([
    ['1817', 0, 'as few bytes'],
    ['1900ff', 0, 'as few bytes'],
    ['1a0000ffff', 0, 'as few bytes'],
    ['1b00000000ffffffff', 0, 'as few bytes'],
    ['3817', 0, 'as few bytes'],
    ['780161', 0, 'as few bytes'],
    ['980101', 0, 'as few bytes'],
    ['fa3fc00000', 0, 'as few bytes'],
    ['fa00000000', 0, 'as few bytes'],
    ['fa33800000', 0, 'as few bytes'],
    ['fb3ff8000000000000', 0, 'as few bytes'],
    ['fb47efffffe0000000', 0, 'as few bytes'],
    ['a2616201616102', 4, 'in the order of their bytes'],
    ['a262616101616202', 5, 'in the order of their bytes'],
    ['a2616101616102', 4, 'found it twice'],
    ['1c', 0, 'a reserved one'],
    ['0000', 1, 'found more bytes'],
    ['', 0, 'found the end'],
    ['19', 1, 'found the end'],
    ['8201', 0, 'found the end'],
    ['fb00', 1, 'found the end'],
    ['62c328', 0, 'expected UTF-8'],
    ['63eda080', 0, 'expected UTF-8'],
    ['9affffffff', 0, 'found the end'],
    ['bbffffffffffffffff', 0, 'found the end'],
    ['7bffffffffffffffff', 0, 'found the end'],
  ])('%s', (hex, offset, message) => {
    const run = () => readCbor(bytesOf(hex))
    expect(run).toThrow(message)
    expect(run).toThrow(expect.objectContaining({ offset }))
  })

  it('sorts names by their encoded bytes, so shorter names come first', () => {
    // The order in RFC 8949 section 4.2.1 is 10, 100, -1, "z", "aa", ...: of these texts, "z" comes before "aa".
    expect(write('{"aa":1,"z":2,"":3,"ä":4}')).toBe('a4600361' + '7a02' + '626161' + '01' + '62c3a404')
  })

  it('writes the same CBOR for any order, spelling and notation of the same JSON', () => {
    expect(write('{"b":1.0,"a":"\\u0041"}')).toBe(write('{ "a" : "A", "b" : 10e-1 }'))
    expect(write('1e19')).toBe('1b8ac7230489e80000')
    expect(write('-18446744073709551616.0')).toBe('3bffffffffffffffff')
    expect([write('-0'), write('0.0'), write('1.0000000000000000000001')]).toEqual(['00', '00', '01'])
    expect(write('18446744073709551616')).toBe('fa5f800000')
  })
})

describe('CBOR of any JSON value', () => {
  test('converts back to the same canonical form and to the same bytes', () => {
    const number = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.maxSafeInteger(),
      fc.float({ noNaN: true, noDefaultInfinity: true }),
    )
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        number,
        fc.string({ unit: 'grapheme' }),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('value'), { maxLength: 5 }),
        fc.dictionary(fc.string({ unit: 'grapheme' }), tie('value'), { maxKeys: 5 }),
      ),
    }))
    fc.assert(
      fc.property(value, (json) => {
        const source = JSON.stringify(json)
        const cbor = writeCbor(parse(source).document!)
        const back = readCbor(cbor)
        expect(text(canonicalize(back))).toBe(text(canonicalize(source)))
        expect(hexOf(writeCbor(parse(back).document!))).toBe(hexOf(cbor))
      }),
      { numRuns: casesOf(500) },
    )
  })

  test('keeps every digit of 64-bit integers', () => {
    fc.assert(
      fc.property(fc.bigInt(-(2n ** 64n), 2n ** 64n - 1n), (integer) => {
        expect(readCbor(writeCbor(parse(String(integer)).document!))).toBe(String(integer))
      }),
    )
  })

  test('writes every half-precision float that is not an integer as one', () => {
    const view = new DataView(new ArrayBuffer(4))
    for (let bits = 0; bits < 0x7c00; bits++) {
      const [exponent, fraction] = [bits >> 10, bits & 0x3ff]
      const value = exponent === 0 ? fraction * 2 ** -24 : (1024 + fraction) * 2 ** (exponent - 25)
      if (Number.isInteger(value)) continue
      view.setUint16(0, bits)
      expect(write(String(value))).toBe(`f9${view.getUint16(0).toString(16).padStart(4, '0')}`)
    }
  })

  test('parses any bytes, or refuses them with a position', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
        const { document, diagnostics } = fromCbor(bytes)
        if (document === undefined) expect(diagnostics[0]!.source.offset).toBeLessThanOrEqual(bytes.length)
      }),
      { numRuns: casesOf(1000) },
    )
  })
})

describe('CBOR of cards', () => {
  test('keeps the signature valid when a signed card is converted to CBOR and back', async () => {
    const card = await signedCard()
    const { bytes, diagnostics } = toCbor(card)
    expect([diagnostics, bytes!.length < card.length]).toEqual([[], true])
    const back = fromCbor(bytes!)
    expect(back.document!.value).toEqual(JSON.parse(card))
    expect((await verify(back.document!, { expect: { keys: [KEY] } })).verdict).toBe('verified')
    const signed = await sign(fromCbor(toCbor(JSON.stringify({ ...EXAMPLE, seq: 1 })).bytes!).document!, KEY)
    expect(JSON.parse(text(signed.bytes)).signature).toBe(JSON.parse(card).signature)
  })

  test('keeps large seq values and unusual names', () => {
    const json = '{"__proto__":{"a":1},"id":"agent://a","seq":18446744073709551615}'
    const { bytes } = toCbor(json)
    expect(text(fromCbor(bytes!).bytes)).toBe('{"id":"agent://a","seq":18446744073709551615,"__proto__":{"a":1}}')
  })

  test('refuses input that is not a card', () => {
    expect(toCbor('[1]')).toMatchObject({ bytes: undefined, diagnostics: [{ code: 'CARD-101' }] })
    expect(toCbor('{')).toMatchObject({ bytes: undefined })
    expect(fromCbor(bytesOf('8101'))).toMatchObject({ document: undefined, diagnostics: [{ code: 'CARD-101' }] })
    expect(fromCbor(bytesOf('a16161f7'))).toMatchObject({
      document: undefined,
      diagnostics: [{ code: 'CARD-163', source: { offset: 3, endOffset: 4 } }],
    })
    expect(fromCbor(new Uint8Array(2 ** 22 + 1)).diagnostics[0]!.detail).toContain('at most 4194304 bytes')
    expect(() => fromCbor('a0' as never)).toThrow('bytes: expected a Uint8Array')
  })

  test('limits the depth of nesting', () => {
    const deep = (levels: number) => Uint8Array.of(...new Array<number>(levels).fill(0x81), 0)
    expect(readCbor(deep(256))).toHaveLength(513)
    expect(() => readCbor(deep(257))).toThrow('expected at most 256 levels')
    expect(fromCbor(deep(100_000)).document).toBeUndefined()
  })
})
