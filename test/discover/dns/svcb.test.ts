import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readSvcb, writeSvcb } from '../../../bindings/discover/dns/svcb.ts'
import { svcbFromText, svcbToText } from '../../../bindings/discover/dns/zone-text.ts'
import { fromHex, toHex } from '../../../bindings/text/bytes.ts'

const shared = (path: string) =>
  JSON.parse(readFileSync(new URL(`../../../../shared/${path}`, import.meta.url), 'utf8'))
const rfc = shared('data/interop/rfc9460-vectors.json')
const dnspython = shared('suites/rfc9460-svcb/cases.json')

const valid: [string, string][] = [
  ...rfc.valid.map((row: { presentation: string; rdata_hex: string }) => [row.presentation, row.rdata_hex]),
  ...dnspython.valid.map((row: { rdata: string; wireHex: string }) => [row.rdata, row.wireHex]),
]
const invalid: string[] = [...rfc.invalid, ...dnspython.invalid].map((row) => row.presentation ?? row.rdata ?? row)
const bytes = (hex: string) => fromHex(hex)!

describe('RFC 9460 appendix D', () => {
  // Figures 2 to 10 (the last one has two texts), and 11 to 17 with ten; the other suite has the same number.
  test('is complete', () => expect([valid.length, invalid.length]).toEqual([20, 20]))
  test.each(valid)('%s', (text, hex) => {
    const record = svcbFromText(text)
    expect(toHex(writeSvcb(record))).toBe(hex)
    const read = readSvcb(bytes(hex))
    expect({ ...read, params: [...read.params] }).toEqual({ ...record, params: [...record.params] })
    expect(toHex(writeSvcb(svcbFromText(svcbToText(read))))).toBe(hex)
  })
  test.each(invalid)('refuses %s', (text) => {
    const kind = expect.objectContaining({ code: 'DNS-120' })
    expect(() => svcbFromText(text)).toThrow(expect.objectContaining({ name: 'DnsError', kind }))
  })
})

describe('texts of zone files', () => {
  // RFC 9460 section 7.1.1: a protocol is any 1 to 255 octets.
  test('keep every octet of a protocol', () => {
    const ids = [
      Uint8Array.of(0xff),
      Uint8Array.of(0x80, 0x2c, 0x5c, 0x22),
      Uint8Array.of(0),
      Uint8Array.of(0xc3, 0xa4),
    ]
    const alpn = Uint8Array.from(ids.flatMap((id) => [id.length, ...id]))
    const text = svcbToText({ priority: 1, target: '.', params: new Map([[1, alpn]]) })
    expect(text).toMatch(/^[ -~]*$/)
    expect(svcbFromText(text).params.get(1)).toEqual(alpn)
    const every = Uint8Array.from([255, ...Array.from({ length: 255 }, (_, i) => i + 1)])
    const again = svcbFromText(svcbToText({ priority: 1, target: '.', params: new Map([[1, every]]) }))
    expect(again.params.get(1)).toEqual(every)
  })

  const refused = expect.objectContaining({ kind: expect.objectContaining({ code: 'DNS-120' }) })
  test.each([
    '1 . )',
    '1 . (',
    ') 1 . (',
    '1 . ) alpn=h2 (',
    '1 . ((alpn=h2)',
    '1 . alpn=h2\nport=443',
    '1 . alpn=h2 ; a comment',
    '1 . (alpn=h2\n; a comment\n)',
  ])('are refused like in a zone file: %j', (text) => {
    expect(() => svcbFromText(text)).toThrow(refused)
  })
  test.each([
    '1 . (\n alpn=h2\n port=443 )',
    '( 1 . alpn=h2 port=443 )',
    '1 . alpn=h2 port=443\n',
    '1 . (alpn=h2)port=443',
  ])('may end lines within brackets: %j', (text) => {
    expect([...svcbFromText(text).params.keys()]).toEqual([1, 3])
  })

  test('are limited to the size of a record', () => {
    const record = (length: number) => ({
      priority: 1,
      target: '.',
      params: new Map([[65402, new Uint8Array(length)]]),
    })
    expect(() => writeSvcb(record(65_532))).toThrow(refused)
    expect(() => svcbToText(record(65_536))).toThrow(refused)
    expect(() => svcbFromText(`1 . key65402=${'x'.repeat(65_532)}`)).toThrow(refused)
    expect(() =>
      svcbFromText(`1 . ${Array.from({ length: 100 }, (_, i) => `key${600 + i}=${'x'.repeat(700)}`).join(' ')}`),
    ).toThrow(refused)
    expect(svcbFromText(`1 . key65402=${'x'.repeat(60_000)}`).params.get(65402)).toHaveLength(60_000)
  })
})
