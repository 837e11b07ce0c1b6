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
  // Figures 2 to 10, of which the last has two texts, and 11 to 17 with ten; the other suite has as many.
  test('is whole', () => expect([valid.length, invalid.length]).toEqual([20, 20]))
  test.each(valid)('%s', (text, hex) => {
    const record = svcbFromText(text)
    expect(toHex(writeSvcb(record))).toBe(hex)
    const read = readSvcb(bytes(hex))
    expect({ ...read, params: [...read.params] }).toEqual({ ...record, params: [...record.params] })
    expect(toHex(writeSvcb(svcbFromText(svcbToText(read))))).toBe(hex)
  })
  test.each(invalid)('is refused: %s', (text) => {
    const kind = expect.objectContaining({ code: 'DNS-120' })
    expect(() => svcbFromText(text)).toThrow(expect.objectContaining({ name: 'DnsError', kind }))
  })
})
