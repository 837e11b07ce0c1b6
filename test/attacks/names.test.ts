// Names and addresses that imitate others: every spelling with its expected result.
import { BlockList, isIPv6 } from 'node:net'
import { describe, expect, it, test } from 'vitest'
import { didWebUrl, KeyError } from '../../bindings/keys/index.ts'
import { refuseAddress } from '../../bindings/net/guard.ts'

/** The place of the document (did:web method, section 2.5.2), or nothing if the spelling is invalid. */
const SPELLINGS: readonly (readonly [did: string, url?: string])[] = [
  ['did:web:example.com', 'https://example.com/.well-known/did.json'],
  ['did:web:EXAMPLE.com', 'https://example.com/.well-known/did.json'],
  ['did:web:example.com:a', 'https://example.com/a/did.json'],
  ['did:web:example.com:a:b:c', 'https://example.com/a/b/c/did.json'],
  ['did:web:example.com:A', 'https://example.com/A/did.json'],
  ['did:web:example.com:a%20b', 'https://example.com/a%20b/did.json'],
  ['did:web:example.com:%C3%A9', 'https://example.com/%C3%A9/did.json'],
  ['did:web:example.com:.well-known', 'https://example.com/.well-known/did.json'],
  ['did:web:example.com:...', 'https://example.com/.../did.json'],
  ['did:web:example.com:a-b_c', 'https://example.com/a-b_c/did.json'],
  ['did:web:example.com%3A8443', 'https://example.com:8443/.well-known/did.json'],
  ['did:web:example.com%3a8443:a', 'https://example.com:8443/a/did.json'],
  ['did:web:example.com%3A1', 'https://example.com:1/.well-known/did.json'],
  ['did:web:example.com%3A65535', 'https://example.com:65535/.well-known/did.json'],
  ['did:web:xn--bcher-kva.example', 'https://xn--bcher-kva.example/.well-known/did.json'],
  ['did:web:a.b.c.d.example', 'https://a.b.c.d.example/.well-known/did.json'],
  ['did:web:1.2.3.example', 'https://1.2.3.example/.well-known/did.json'],
  // Schemes, methods and characters around them.
  ['DID:web:example.com'],
  ['did:WEB:example.com'],
  ['did:web'],
  ['did:web:'],
  ['did:web::example.com'],
  ['did:web:example.com:'],
  ['did:web:example.com::a'],
  [' did:web:example.com'],
  ['did:web:example.com '],
  ['did:web:example.com\n'],
  ['did:web:example.com\0.evil.example'],
  ['did:webs:example.com'],
  // Would lead to another place on the same host.
  ['did:web:example.com:..:admin'],
  ['did:web:example.com:.:admin'],
  ['did:web:example.com:%2e%2e:admin'],
  ['did:web:example.com:%2E%2E:admin'],
  ['did:web:example.com:a%2fb'],
  ['did:web:example.com:a%5cb'],
  ['did:web:example.com:a/b'],
  ['did:web:example.com:a\\b'],
  ['did:web:example.com?x=1'],
  ['did:web:example.com:a?x=1'],
  ['did:web:example.com#key'],
  ['did:web:example.com:a%'],
  ['did:web:example.com:a%2'],
  ['did:web:example.com:a%zz'],
  // Would lead to another host.
  ['did:web:example.com%2Fevil.example'],
  ['did:web:user%40evil.example'],
  ['did:web:user@evil.example'],
  ['did:web:example.com%3A80%40evil.example'],
  ['did:web:example.com%3A'],
  ['did:web:example.com%3A65536'],
  ['did:web:example.com%3A080443'],
  ['did:web:example.com%3A-1'],
  ['did:web:example.com%3A0x50'],
  ['did:web:example.com%3A80%3A81'],
  ['did:web:example%2Ecom'],
  ['did:web:.example.com'],
  ['did:web:example..com'],
  ['did:web:-a.example.com'],
  ['did:web:a-.example.com'],
  ['did:web:exa_mple.com'],
  ['did:web:bücher.example'],
  ['did:web:ｅxample.com'],
  ['did:web:example。com'],
  // Hosts that are not public names.
  ['did:web:localhost'],
  ['did:web:127.0.0.1'],
  ['did:web:127.1'],
  ['did:web:2130706433'],
  ['did:web:0x7f.0.0.1'],
  ['did:web:8.8.8.0x8'],
  ['did:web:8.8.8.010'],
  ['did:web:[::1]'],
  ['did:web:%5B%3A%3A1%5D'],
  [`did:web:${'a'.repeat(64)}.example`],
  [`did:web:${'a.'.repeat(130)}example`],
]

describe('a spelling of did:web', () => {
  it.each(SPELLINGS.map(([did, url]) => ({ did, url })))('$did', ({ did, url }) => {
    let found: string | undefined
    try {
      found = didWebUrl(did)
    } catch (error) {
      expect(error).toBeInstanceOf(KeyError)
    }
    expect(found).toBe(url)
    // A URL parser leaves the address unchanged, so no other host is contacted.
    if (found !== undefined) expect(new URL(found).href).toBe(found)
  })
})

/** In spellings that URLs allow; the host's parser tells which address each one is. */
const INSIDE = [
  ...['127.0.0.1', '127.1', '127.255.255.254', '0', '0.0.0.0', '0.1.2.3', '2130706433', '0x7f000001', '0x7f.1'],
  ...['0177.0.0.1', '017700000001', '127.0.0.1.', '１２７.0.0.1', '127。0。0。1', '%31%32%37.0.0.1', '10.0.0.1'],
  ...['10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '169.254.169.254', '169.254.1.1', '100.64.0.1'],
  ...['100.127.255.255', '192.0.0.1', '192.0.2.1', '198.18.0.1', '198.19.255.255', '198.51.100.1', '203.0.113.1'],
  ...[
    '224.0.0.1',
    '239.255.255.255',
    '240.0.0.1',
    '255.255.255.255',
    '3232235521',
    '0xa9fea9fe',
    '0251.0376.0251.0376',
  ],
  ...['[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]', '[fe80::1]'],
  ...['[febf::1]', '[fc00::1]', '[fd12:3456::1]', '[fec0::1]', '[ff02::1]', '[64:ff9b::10.0.0.1]', '[64:ff9b::7f00:1]'],
  ...['[64:ff9b:1::1]', '[2001:db8::1]', '[2002:7f00:1::]', '[2001::1]', '[100::1]', '[3fff::1]', '[5f00::1]'],
]
const PUBLIC = [
  ...['8.8.8.8', '1.1.1.1', '134744072', '0x08080808', '172.15.255.255', '172.32.0.1', '192.167.255.255', '100.63.0.1'],
  ...['100.128.0.1', '169.253.0.1', '126.255.255.255', '128.0.0.1', '198.17.0.1', '198.20.0.1', '223.255.255.255'],
  ...['[2606:4700::1111]', '[2a00:1450::1]', '[::ffff:8.8.8.8]', '[64:ff9b::8.8.8.8]', '[2001:4860::8888]'],
]

describe('an address in a URL', () => {
  it.each(INSIDE)('is never contacted if it is not public: %s', (spelling) => {
    expect(refuseAddress(new URL(`https://${spelling}/`).hostname)).toBeDefined()
  })
  it.each(PUBLIC)('may be contacted if it is public: %s', (spelling) => {
    expect(refuseAddress(new URL(`https://${spelling}/`).hostname)).toBeUndefined()
  })
})

test('addresses at the edges of ranges are judged like the lists of node:net (another implementation)', () => {
  // The IPv4 Special-Purpose Address Registry, and multicast and reserved space.
  const RANGES = ['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12']
    .concat(['192.0.2.0/24', '192.88.99.0/24', '192.168.0.0/16', '198.18.0.0/15', '198.51.100.0/24'])
    .concat(['203.0.113.0/24', '224.0.0.0/4', '240.0.0.0/4'])
  const list = new BlockList()
  const edges: number[] = []
  for (const range of RANGES) {
    const [prefix, length] = range.split('/') as [string, string]
    list.addSubnet(prefix, Number(length))
    const first = prefix.split('.').reduce((sum, byte) => sum * 256 + Number(byte), 0)
    const next = first + 2 ** (32 - Number(length))
    edges.push(first - 1, first, first + 1, next - 1, next, next + 1)
  }
  for (const edge of edges.filter((edge) => edge >= 0 && edge < 2 ** 32)) {
    const text = [24, 16, 8, 0].map((shift) => Math.floor(edge / 2 ** shift) % 256).join('.')
    const mapped = `::ffff:${text}`
    expect(isIPv6(mapped)).toBe(true)
    for (const address of [text, mapped])
      expect([address, refuseAddress(address) !== undefined]).toEqual([address, list.check(text)])
  }
})
