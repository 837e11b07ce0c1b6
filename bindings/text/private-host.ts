// Detects hosts that exist only inside a network.
import { insideSuffix, parseAddress, specialPurpose } from './address.ts'

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
