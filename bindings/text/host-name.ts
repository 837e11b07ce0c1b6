// Names of hosts on the Internet, in ASCII: labels of at most 63 bytes, 253 in all (RFC 1035, RFC 1123).
import { insideSuffix, parseAddress, specialPurpose } from './address.ts'

const HOST_LABEL = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i
const DOMAIN_LABEL = /^[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?$/i
/** Every URL parser reads a name with such a last label as an IPv4 address (URL Standard, "ends in a number"). */
const NUMBER = /^(?:\d+|0x[\da-f]*)$/i
const LONGEST = 253

/** True for a host name with at least two labels, in any case, without a trailing dot. */
export const isHostName = (text: string): boolean => isDotted(text, HOST_LABEL)

/** The same with underscores, which DNS names may have. */
export const isDomain = (text: string): boolean => isDotted(text, DOMAIN_LABEL)

function isDotted(text: string, label: RegExp): boolean {
  if (text.length > LONGEST) return false
  const labels = text.split('.')
  return labels.length >= 2 && labels.every((name) => label.test(name)) && !NUMBER.test(labels.at(-1)!)
}

// Detects hosts that exist only inside a network.

/** Describes what a host reveals about the inside of a network; undefined if it reveals nothing. */
export function revealedBy(host: string): string | undefined {
  const lower = host.toLowerCase()
  const name = lower.endsWith('.') ? lower.slice(0, -1) : lower
  const last = name.slice(name.lastIndexOf('.') + 1)
  // No public host name ends in a number (RFC 3696 section 2).
  if (isNumber(last) || name.indexOf(':') !== name.lastIndexOf(':')) {
    const address = parseAddress(name.replace(/^\[(.*)\]$/, '$1'))
    const purpose = address === undefined ? undefined : specialPurpose(address)
    return purpose === undefined ? 'an address and no registered name' : `an address for special use: ${purpose}`
  }
  const inside = insideSuffix(name)
  if (inside !== undefined) return `a name of a private network: .${inside}`
  return last === name && /^[a-z0-9-]+$/.test(name) ? 'a name without a domain' : undefined
}

const isNumber = (label: string) => label.charCodeAt(0) <= 0x39 && /^\d+$/.test(label)

/**
 * The host of a URI. Undefined for other schemes, where the authority may be something else, such as a bucket in s3.
 */
export function hostOf(uri: string): string | undefined {
  return /^(?:https?|wss?):\/\/(?:[^/?#@]*@)?(\[[^\]]*\]|[^:/?#]*)/i.exec(uri)?.[1]
}

// URIs that affect only the program that opens them: it runs their content or reads its own disk.

/** URL parsers ignore tabs and line ends everywhere, and control characters and spaces at the start. */
const PASSED_OVER = /[\t\n\r]|^[\0-\x20]+/g
const SCHEME = /^(?:javascript|data|vbscript|blob|file|filesystem|about|view-source|jar|intent|ms-[a-z-]+):/i

/** True when opening the URI would run content, or read local files, chosen by its author. */
export function isScriptUrl(uri: string): boolean {
  return SCHEME.test(uri.slice(0, 200).replace(PASSED_OVER, ''))
}
