/** An IP address of 4 or 16 bytes. */
export type Address = Uint8Array

/**
 * The IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890 as updated; registries of 2025-10), narrower
 * ranges first. `+` marks ranges that they call globally reachable; the others are not, including "N/A". Multicast,
 * 4000::/3 and the like come from the address space registries: they are not global unicast addresses either.
 */
const REGISTRY_4 = `
192.0.0.9/32 + Port Control Protocol Anycast
192.0.0.10/32 + Traversal Using Relays around NAT Anycast
192.0.0.8/32 IPv4 dummy address
192.0.0.170/31 NAT64/DNS64 Discovery
255.255.255.255/32 Limited Broadcast
0.0.0.0/32 "This host on this network"
192.0.0.0/29 IPv4 Service Continuity Prefix
192.0.0.0/24 IETF Protocol Assignments
192.0.2.0/24 Documentation (TEST-NET-1)
192.88.99.0/24 Deprecated (6to4 Relay Anycast)
198.51.100.0/24 Documentation (TEST-NET-2)
203.0.113.0/24 Documentation (TEST-NET-3)
169.254.0.0/16 Link Local
192.168.0.0/16 Private-Use
198.18.0.0/15 Benchmarking
172.16.0.0/12 Private-Use
100.64.0.0/10 Shared Address Space
0.0.0.0/8 "This network"
10.0.0.0/8 Private-Use
127.0.0.0/8 Loopback
224.0.0.0/4 Multicast
240.0.0.0/4 Reserved`

const REGISTRY_6 = `
::1/128 Loopback Address
::/128 Unspecified Address
2001:1::1/128 + Port Control Protocol Anycast
2001:1::2/128 + Traversal Using Relays around NAT Anycast
2001:1::3/128 + DNS-SD Service Registration Protocol Anycast
2001:2::/48 Benchmarking
2001:4:112::/48 + AS112-v6
2001:3::/32 + AMT
2001::/32 TEREDO
2001:db8::/32 Documentation
2001:10::/28 Deprecated (previously ORCHID)
2001:20::/28 + ORCHIDv2
2001:30::/28 + Drone Remote ID Protocol Entity Tags (DETs) Prefix
2001::/23 IETF Protocol Assignments
3fff::/20 Documentation
2002::/16 6to4
2000::/3 + Global Unicast
64:ff9b:1::/48 IPv4-IPv6 Translat.
100::/64 Discard-Only Address Block
100:0:0:1::/64 Dummy IPv6 Prefix
5f00::/16 Segment Routing (SRv6) SIDs
fec0::/10 Site-Local (deprecated)
fe80::/10 Link-Local Unicast
ff00::/8 Multicast
fc00::/7 Unique-Local
::/0 Reserved by IETF`

/**
 * Suffixes of names inside a machine or a network: RFC 6761 section 6.3, RFC 6762 and its appendix G, RFC 8375, ICANN's
 * .internal of 2024, and the suffixes that local resolvers append.
 */
const INSIDE = ['localhost', 'local', 'internal', 'home.arpa', 'localdomain'].concat([
  'intranet',
  'private',
  'corp',
  'home',
  'lan',
])

/** Ranges whose last four bytes are an embedded IPv4 address: IPv4-mapped (RFC 4291), NAT64 (RFC 6052). */
const CARRIERS = ['::ffff:0:0/96', '64:ff9b::/96']

interface Range {
  readonly prefix: Address
  readonly length: number
  readonly name: string
  readonly reachable: boolean
}

/** Ranges, indexed by the first byte of their addresses. */
type ByFirstByte = readonly (readonly Range[])[]

let ranges: { readonly v4: ByFirstByte; readonly v6: ByFirstByte; readonly carriers: ByFirstByte } | undefined

function readRange(line: string): Range {
  const [, prefix, length, plus, name] = /^(\S+)\/(\d+)( \+)? ?(.*)$/.exec(line)!
  return { prefix: parseAddress(prefix!)!, length: Number(length), name: name!, reachable: plus !== undefined }
}

function table() {
  const read = (text: string) => byFirstByte(text.trim().split('\n').map(readRange))
  ranges ??= { v4: read(REGISTRY_4), v6: read(REGISTRY_6), carriers: byFirstByte(CARRIERS.map(readRange)) }
  return ranges
}

function byFirstByte(list: readonly Range[]): ByFirstByte {
  const begins = (byte: number, { prefix, length }: Range) => (byte ^ prefix[0]!) >> Math.max(8 - length, 0) === 0
  return Array.from({ length: 256 }, (_, byte) => list.filter((range) => begins(byte, range)))
}

function isWithin(address: Address, { prefix, length }: Range): boolean {
  const whole = length >> 3
  for (let i = 0; i < whole; i++) if (address[i] !== prefix[i]) return false
  const rest = length & 7
  return rest === 0 || (address[whole]! ^ prefix[whole]!) >> (8 - rest) === 0
}

const DOT = 0x2e
const COLON = 0x3a

// Parsed by hand: policies parse an address for each connection, and regular expressions and lists take microseconds.

function parse4(text: string, from = 0): Address | undefined {
  if (text.length - from > 15) return undefined
  const bytes = new Uint8Array(4)
  let at = 0
  let value = -1
  for (let i = from; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (unit === DOT) {
      if (value < 0 || at === 3) return undefined
      bytes[at++] = value
      value = -1
    } else {
      const digit = unit - 0x30
      if (digit < 0 || digit > 9 || value === 0) return undefined
      value = value < 0 ? digit : value * 10 + digit
      if (value > 255) return undefined
    }
  }
  if (value < 0 || at !== 3) return undefined
  bytes[3] = value
  return bytes
}

/** The value of one to four hexadecimal digits, or -1. */
function parseGroup(text: string, start: number, end: number): number {
  if (end === start || end - start > 4) return -1
  let value = 0
  for (let i = start; i < end; i++) {
    const unit = text.charCodeAt(i)
    const letter = (unit | 0x20) - 0x61
    const digit = unit >= 0x30 && unit <= 0x39 ? unit - 0x30 : letter >= 0 && letter < 6 ? letter + 10 : -1
    if (digit < 0) return -1
    value = value * 16 + digit
  }
  return value
}

/**
 * Groups of up to four hexadecimal digits. An IPv4 address may replace the last two groups, and `::` one or more
 * groups.
 */
function parse6(text: string): Address | undefined {
  if (text.length > 45) return undefined
  const bytes = new Uint8Array(16)
  let at = 0
  let gap = text.startsWith('::') ? 0 : -1
  for (let i = gap === 0 ? 2 : 0; i < text.length; ) {
    const colon = text.indexOf(':', i)
    const carried = colon < 0 && at <= 12 ? parse4(text, i) : undefined
    if (carried !== undefined) {
      bytes.set(carried, at)
      at += 4
      break
    }
    const end = colon < 0 ? text.length : colon
    const group = at < 16 ? parseGroup(text, i, end) : -1
    if (group < 0 || end === text.length - 1) return undefined
    bytes[at++] = group >> 8
    bytes[at++] = group & 0xff
    i = end + 1
    if (text.charCodeAt(i) !== COLON) continue
    if (gap >= 0) return undefined
    gap = at
    i++
  }
  if (gap < 0) return at === 16 ? bytes : undefined
  if (at > 14) return undefined
  const tail = 16 - (at - gap)
  bytes.copyWithin(tail, gap, at)
  return bytes.fill(0, gap, tail)
}

/**
 * The bytes of an address in the forms of RFC 3986 section 3.2.2 and RFC 4291 section 2.2: four decimal numbers without
 * leading zeros, or IPv6 text. Undefined for everything else: names, brackets, zones, `0x7f.1`, `127.1`.
 *
 * @example
 * parseAddress('::1')?.length // 16
 * parseAddress('127.1') // undefined
 */
export function parseAddress(text: string): Address | undefined {
  return text.includes(':') ? parse6(text) : parse4(text)
}

/**
 * The name of the special-purpose range that contains an address, from IANA's registries; undefined for an address that
 * anyone on the Internet can reach. For an IPv4 address embedded in an IPv6 one, the IPv4 address counts.
 *
 * @example
 * specialPurpose(parseAddress('10.1.2.3')!) // 'Private-Use'
 * specialPurpose(parseAddress('::ffff:127.0.0.1')!) // 'Loopback'
 * specialPurpose(parseAddress('8.8.8.8')!) // undefined
 */
export function specialPurpose(address: Address): string | undefined {
  const { v4, v6, carriers } = table()
  const meant =
    address.length === 16 && carriers[address[0]!]!.some((range) => isWithin(address, range))
      ? address.subarray(12)
      : address
  const candidates = (meant.length === 4 ? v4 : v6)[meant[0]!]!
  for (const range of candidates) if (isWithin(meant, range)) return range.reachable ? undefined : range.name
  return undefined
}

/**
 * The suffix for internal names that a host equals or ends with; undefined for other hosts. The host must be lower-case
 * and without a trailing dot.
 *
 * @example
 * insideSuffix('db.internal') // 'internal'
 */
export function insideSuffix(host: string): string | undefined {
  return INSIDE.find(
    (name) => host.endsWith(name) && (host.length === name.length || host[host.length - name.length - 1] === '.'),
  )
}
