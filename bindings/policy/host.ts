import { insideSuffix, parseAddress, specialPurpose } from '../text/address.ts'

/** The longest DNS name (RFC 1035 section 3.1). */
const LONGEST = 253

/** Characters that no host contains, or that could be read as something other than a host. */
const FOREIGN = /[\0-\x20#%/:<>?@[\\\]^|\x7f]/

/**
 * A host in the form that connections use: in lower case, with international names in ASCII form, addresses in their
 * canonical spelling without brackets, and no final dot. Undefined for an invalid host.
 *
 * Address forms that only some resolvers accept (`0x7f.1`, `2130706433`, `127。1`) are read as URLs read them.
 *
 * @example
 * normalizeHost('API.Example.COM.') // 'api.example.com'
 * normalizeHost('0x7f.1') // '127.0.0.1'
 */
export function normalizeHost(host: string): string | undefined {
  if (isPlain(host)) return host
  const simple = (host.endsWith('.') ? host.slice(0, -1) : host).toLowerCase()
  if (isPlain(simple) || isAddress4(simple)) return simple
  const inside = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host
  if (inside.includes(':'))
    return parseAddress(inside) === undefined ? undefined : hostnameIn(`[${inside}]`)?.slice(1, -1)
  // Implementations disagree about which ASCII forms are valid. Plain labels were accepted unchanged above; others are
  // refused.
  if (host.length > 4 * LONGEST || FOREIGN.test(host) || simple.includes('xn--')) return undefined
  const name = hostnameIn(host)?.replace(/\.$/, '')
  return name === undefined || name.length > LONGEST || name.split('.').includes('') ? undefined : name
}

function hostnameIn(authority: string): string | undefined {
  try {
    return new URL(`http://${authority}`).hostname
  } catch {
    return undefined
  }
}

/** True for four decimal numbers without leading zeros, which have no other spelling. */
const isAddress4 = (host: string) => !host.includes(':') && parseAddress(host) !== undefined

/**
 * True if all labels consist of lower-case letters, digits, hyphens and underscores. Most hosts do, and need no
 * normalization.
 */
function isPlain(host: string): boolean {
  if (host.length > LONGEST) return false
  let start = 0
  for (let i = 0; i < host.length; i++) {
    const unit = host.charCodeAt(i)
    if (unit === 0x2e) {
      if (i === start) return false
      start = i + 1
    } else if (!((unit >= 0x61 && unit <= 0x7a) || (unit >= 0x30 && unit <= 0x39) || unit === 0x2d || unit === 0x5f))
      return false
  }
  // A last label that begins with a digit may be the last number of an address.
  return start < host.length && host.charCodeAt(start) > 0x39
}

/**
 * The reason that a normalized host cannot be reached from the Internet, judged by its name; undefined if it may be.
 */
export function insideName(host: string): string | undefined {
  if (isAddress(host)) return insideAddress(host)
  return insideSuffix(host) && `${host} is a name for what is inside`
}

/** The reason that an address cannot be reached from the Internet; undefined for a public address. */
export function insideAddress(address: string): string | undefined {
  const parsed = parseAddress(address)
  if (parsed === undefined) return 'the address is not one'
  const purpose = specialPurpose(parsed)
  return purpose && `${address} is not a public address: ${purpose}`
}

/** True when a normalized host is an IP address. */
export function isAddress(host: string): boolean {
  const last = host.charCodeAt(host.length - 1)
  return host.includes(':') || (last >= 0x30 && last <= 0x39 && parseAddress(host) !== undefined)
}

/** A host pattern with an IPv6 address in the spelling of normalized hosts. */
export function spellHostPattern(pattern: string): string {
  return pattern.includes(':') && !pattern.includes('*') ? (normalizeHost(pattern) ?? pattern) : pattern
}
