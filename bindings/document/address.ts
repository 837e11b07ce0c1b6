/** An IP address: 4 bytes, or 16. */
export type Address = Uint8Array

/**
 * What the IANA IPv4 and IPv6 Special-Purpose Address Registries list (RFC 6890 as updated; registries of 2025-10),
 * the narrower range first. `+` marks what they call globally reachable; the others, "N/A" too, are not. Multicast and
 * 4000::/3 and the like come from the registries of the address spaces: they are no global unicast addresses either.
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

/** Names for what is inside a machine or a network: RFC 6761 section 6.3, RFC 6762, RFC 8375, and ICANN's .internal of 2024. */
const INSIDE = ['localhost', 'local', 'internal', 'home.arpa']

/** Ranges whose last four bytes are the IPv4 address that is meant: IPv4-mapped (RFC 4291), NAT64 (RFC 6052). */
const CARRIERS = ['::ffff:0:0/96', '64:ff9b::/96']

interface Range {
  readonly prefix: Address
  readonly length: number
  readonly name: string
  readonly reachable: boolean
}

let ranges: { 4: readonly Range[]; 6: readonly Range[]; carriers: readonly Range[] } | undefined

function readRange(line: string): Range {
  const [, prefix, length, plus, name] = /^(\S+)\/(\d+)( \+)? ?(.*)$/.exec(line)!
  return { prefix: parseAddress(prefix!)!, length: Number(length), name: name!, reachable: plus !== undefined }
}

function table() {
  const read = (text: string) => text.trim().split('\n').map(readRange)
  ranges ??= { 4: read(REGISTRY_4), 6: read(REGISTRY_6), carriers: CARRIERS.map(readRange) }
  return ranges
}

function isWithin(address: Address, { prefix, length }: Range): boolean {
  const whole = length >> 3
  for (let i = 0; i < whole; i++) if (address[i] !== prefix[i]) return false
  const rest = length & 7
  return rest === 0 || (address[whole]! ^ prefix[whole]!) >> (8 - rest) === 0
}

function parse4(text: string): Address | undefined {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)) return
  return Uint8Array.from(parts, Number)
}

/** Groups of up to four hexadecimal digits; an IPv4 address may stand for the last two. */
function groups(text: string): number[] | undefined {
  if (text === '') return []
  const parts = text.split(':')
  const last = parts.at(-1)!
  const carried = last.includes('.') ? parse4(last) : undefined
  if (carried !== undefined) {
    const [a, b, c, d] = carried as unknown as [number, number, number, number]
    parts.splice(-1, 1, ((a << 8) | b).toString(16), ((c << 8) | d).toString(16))
  }
  return parts.every((part) => /^[\da-f]{1,4}$/i.test(part))
    ? parts.map((part) => Number.parseInt(part, 16))
    : undefined
}

function parse6(text: string): Address | undefined {
  if (text.length > 45) return
  const [before, after, more] = text.split('::')
  if (more !== undefined || (after !== undefined && before!.includes('.'))) return
  const head = groups(before!)
  const tail = groups(after ?? '')
  if (head === undefined || tail === undefined) return
  const count = head.length + tail.length
  if (after === undefined ? count !== 8 : count > 7) return
  const all = [...head, ...new Array<number>(8 - count).fill(0), ...tail]
  return Uint8Array.from(all.flatMap((group) => [group >> 8, group & 0xff]))
}

/**
 * The bytes of an address written as RFC 3986 section 3.2.2 and RFC 4291 section 2.2 allow: four decimal numbers without
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
 * The name of the range for special purposes that an address lies in, as IANA's registries have it; undefined for an
 * address that anybody on the Internet can reach. An IPv4 address that an IPv6 one carries is judged as itself.
 *
 * @example
 * specialPurpose(parseAddress('10.1.2.3')!) // 'Private-Use'
 * specialPurpose(parseAddress('::ffff:127.0.0.1')!) // 'Loopback'
 * specialPurpose(parseAddress('8.8.8.8')!) // undefined
 */
export function specialPurpose(address: Address): string | undefined {
  const { carriers, ...registries } = table()
  const meant =
    address.length === 16 && carriers.some((range) => isWithin(address, range)) ? address.slice(12) : address
  const range = registries[meant.length === 4 ? 4 : 6].find((candidate) => isWithin(meant, candidate))
  return range?.reachable === false ? range.name : undefined
}

/**
 * The name for what is inside a network that a host is, or lies below; undefined for all others. In lower case, without a
 * dot at the end.
 *
 * @example
 * insideSuffix('db.internal') // 'internal'
 */
export function insideSuffix(host: string): string | undefined {
  return INSIDE.find(
    (name) => host.endsWith(name) && (host.length === name.length || host[host.length - name.length - 1] === '.'),
  )
}
