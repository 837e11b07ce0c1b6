import { DnsError } from '../discover/dns/name.ts'
import { readSvcb, writeSvcb } from '../discover/dns/svcb.ts'
import { svcbFromText, svcbToText } from '../discover/dns/zone-text.ts'
import { fromHex, toHex } from '../text/bytes.ts'

/** RFC 9460 appendices D.1 and D.2: record data in zone file form and in wire form. */
const RECORDS: readonly (readonly [text: string, hex: string])[] = [
  ['0 foo.example.com.', '000003666f6f076578616d706c6503636f6d00'],
  ['1 .', '000100'],
  ['16 foo.example.com. port=53', '001003666f6f076578616d706c6503636f6d00000300020035'],
  ['1 foo.example.com. key667=hello', '000103666f6f076578616d706c6503636f6d00029b000568656c6c6f'],
  ['1 foo.example.com. key667="hello\\210qoo"', '000103666f6f076578616d706c6503636f6d00029b000968656c6c6fd2716f6f'],
  [
    '1 foo.example.com. ipv6hint="2001:db8::1,2001:db8::53:1"',
    '000103666f6f076578616d706c6503636f6d000006002020010db800000000000000000000000120010db8000000000000000000530001',
  ],
  [
    '1 example.com. ipv6hint="2001:db8:122:344::192.0.2.33"',
    '0001076578616d706c6503636f6d000006001020010db80122034400000000c0000221',
  ],
  [
    '16 foo.example.org. alpn=h2,h3-19 mandatory=ipv4hint,alpn ipv4hint=192.0.2.1',
    '001003666f6f076578616d706c65036f7267000000000400010004000100090268320568332d313900040004c0000201',
  ],
  [
    '16 foo.example.org. alpn="f\\\\\\\\oo\\\\,bar,h2"',
    '001003666f6f076578616d706c65036f7267000001000c08665c6f6f2c626172026832',
  ],
  [
    '16 foo.example.org. alpn=f\\\\\\092oo\\092,bar,h2',
    '001003666f6f076578616d706c65036f7267000001000c08665c6f6f2c626172026832',
  ],
]

/** Appendix D.3: data that zone files must not contain. */
const FAULTY: readonly string[] = [
  'key123=abc key123=def',
  'mandatory',
  'alpn',
  'port',
  'ipv4hint',
  'ipv6hint',
  'no-default-alpn=abc',
  'mandatory=key123',
  'mandatory=mandatory',
  'mandatory=key123,key123 key123=abc',
]

export function records(): (readonly [id: string, expected: string, got: string])[] {
  const sound = RECORDS.flatMap(([text, hex], i) => [
    [`record/${i}`, hex, wire(() => svcbFromText(text))] as const,
    [`record/${i}-read`, hex, wire(() => svcbFromText(svcbToText(readSvcb(fromHex(hex)!))))] as const,
  ])
  const faulty = FAULTY.map((parameters, i) => {
    return [`record-faulty/${i}`, 'refused', wire(() => svcbFromText(`1 foo.example.com. ${parameters}`))] as const
  })
  return [...sound, ...faulty]
}

function wire(read: () => Parameters<typeof writeSvcb>[0]): string {
  try {
    return toHex(writeSvcb(read()))
  } catch (error) {
    if (!(error instanceof DnsError)) throw error
    return 'refused'
  }
}
