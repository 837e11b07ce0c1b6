// Records as text for people, by the examples of the RFCs.
import { describe, expect, test } from 'vitest'
import { anchorsFromText, anchorsToText } from '../../../bindings/discover/dns/dnssec/rdata.ts'
import { TYPES } from '../../../bindings/discover/dns/message.ts'
import { nameToWire } from '../../../bindings/discover/dns/name.ts'
import { recordText } from '../../../bindings/discover/dns/zone-text.ts'
import { decodeBase64 } from '../../../bindings/keys/base64.ts'
import { fromHex } from '../../../bindings/text/bytes.ts'

const bytes = (...parts: readonly (string | Uint8Array)[]) =>
  new Uint8Array(parts.flatMap((part) => [...(typeof part === 'string' ? fromHex(part.replaceAll(' ', ''))! : part)]))
const SIGNATURE =
  'oJB1W6WNGv+ldvQ3WDG0MQkg5IEhjRip8WTrPYGv07h108dUKGMeDPKijVCHX3DDKdfb+v6oB9wfuh3DTJXUAfI/M0zmO/zz8bW0Rznl8O3tGNazPwQKkRN20XPXV6nwwfoXmJQbsLNrLfkGJ5D6fwFm8nN+6pBzeDQfsS3Ap3o='
const DS = '60485 5 1 2bb183af5f22588179a53b0a98631fad1a292118'

describe('recordText', () => {
  test.each([
    // RFC 4034 section 3.3, with times as section 3.2 writes them.
    [
      'RRSIG',
      bytes('0001 05 03 00015180', '3e7c9dd7', '3e5510d7', '0a52', nameToWire('example.com'), decodeBase64(SIGNATURE)),
      `A 5 3 86400 20030322173103 20030220173103 2642 example.com. ${SIGNATURE}`,
    ],
    // Section 4.3.
    [
      'NSEC',
      bytes('04686f7374076578616d706c6503636f6d00', '0006400100000003', `041b${'00'.repeat(26)}20`),
      'host.example.com. A MX RRSIG NSEC TYPE1234',
    ],
    // Section 5.4.
    ['DS', bytes('ec45 05 01 2bb183af5f22588179a53b0a98631fad1a292118'), DS],
    // RFC 6698 section 2.3.
    [
      'TLSA',
      bytes('00 00 01 d2abde240d7cd3ee6b4b28c54df034b97983a1d16e8a410e4561cb106618e971'),
      '0 0 1 d2abde240d7cd3ee6b4b28c54df034b97983a1d16e8a410e4561cb106618e971',
    ],
    // RFC 9460 D.2.
    ['SVCB', bytes('0010 03666f6f076578616d706c6503636f6d00 0003 0002 0035'), '16 foo.example.com. port="53"'],
    ['TXT', bytes('03612262'), '"a\\"b"'],
  ] as const)('%s', (type, rdata, text) => expect(recordText({ type: TYPES[type], rdata })).toBe(text))

  test('writes unknown types and malformed data in the form of RFC 3597 section 5', () => {
    expect(recordText({ type: 731, rdata: bytes('abcdef012345') })).toBe('\\# 6 abcdef012345')
    expect(recordText({ type: TYPES.A, rdata: bytes('01') })).toBe('\\# 1 01')
  })

  // RFC 4034 section 4.1.2.
  test.each([
    ['windows in another order', '010140000140'],
    ['a window twice', '000140000120'],
    ['a window without bits', '0000'],
    ['a window of 33 bytes', `0021${'00'.repeat(32)}40`],
    ['trailing zeros', '00024000'],
  ])('writes a list of types with %s as malformed data', (_, types) => {
    const rdata = bytes(nameToWire('a.example'), types)
    expect(recordText({ type: TYPES.NSEC, rdata })).toMatch(/^\\# \d+ 0161/)
  })
})

describe('DS records as text', () => {
  test('may have a comment, empty lines, a time to live, and the digest in pieces', () => {
    const text = `; of the example\n\ndskey.example.com. 86400 IN DS 60485 5 1 2BB183AF5F22588179A5 3B0A98631FAD1A292118`
    const anchors = anchorsFromText(text)
    expect(Object.keys(anchors)).toEqual(['dskey.example.com'])
    expect(anchorsToText(anchors).toLowerCase()).toBe(`dskey.example.com in ds ${DS}\n`)
    expect(anchorsFromText(anchorsToText(anchors))).toEqual(anchors)
  })
  test.each(['. IN A 1.2.3.4', '. IN DS 1 2 3 xyz', '. IN DS 1 2 3 abc', 'a..b DS 1 2 3 ab'])('refuses %s', (line) => {
    expect(() => anchorsFromText(`. DS 1 2 3 ab\n${line}`)).toThrow(/expected DS records, found ".*" in line 2/)
  })
})
