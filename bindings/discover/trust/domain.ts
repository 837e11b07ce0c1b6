// The domain of an agent, for people and for the DNS.

import { diagnoseNowhere } from '../../document/diagnose.ts'
import type { Diagnostic } from '../../document/types.ts'
import { domainIn } from '../../wellknown/identity.ts'
import { Lookup, type LookupOptions } from '../dns/lookup.ts'
import { DnsError } from '../dns/name.ts'
import { type Listing, listedAgents } from '../dns/service.ts'

export declare namespace readAgentDomain {
  /** Both forms of a domain. Show both: letters of two scripts may look alike. */
  interface Result {
    /** `xn--…` for letters beyond ASCII. */
    readonly ascii: string
    readonly unicode: string
  }
}

/**
 * Reads a domain, or the URI of an agent: `alice.example.com`, `agent:alice.example.com`, `bücher.example`.
 *
 * @throws {TypeError} for anything else.
 */
export function readAgentDomain(text: string): readAgentDomain.Result {
  if (typeof text !== 'string') throw new TypeError(`domain: expected text, got ${typeof text}`)
  const ascii = domainIn(text)
  if (ascii === undefined)
    throw new TypeError(`domain: expected one such as alice.example.com, got ${JSON.stringify(text)}`)
  return { ascii, unicode: unicodeOf(ascii) }
}

/** Keeps the ASCII form if the other form does not convert back to it. */
function unicodeOf(ascii: string): string {
  const unicode = ascii
    .split('.')
    .map((label) => (label.startsWith('xn--') ? (decodePunycode(label.slice(4)) ?? label) : label))
    .join('.')
  const isSame = URL.canParse(`https://${unicode}`) && new URL(`https://${unicode}`).hostname === ascii
  return isSame ? unicode : ascii
}

// RFC 3492: decodes letters beyond ASCII from a label of a domain name. Only Node has a function for this.
const BASE = 36
const LEAST = 1
const MOST = 26
const SKEW = 38
const DAMP = 700
const FIRST_BIAS = 72
const FIRST_LETTER = 0x80
const LAST_LETTER = 0x10ffff

/** The text of a label after `xn--`; undefined for an invalid one. */
export function decodePunycode(label: string): string | undefined {
  const end = label.lastIndexOf('-')
  const letters = Array.from(label.slice(0, Math.max(end, 0)), (letter) => letter.charCodeAt(0))
  let letter = FIRST_LETTER
  let bias = FIRST_BIAS
  let place = 0
  for (let at = end + 1; at < label.length; ) {
    const before = place
    let weight = 1
    for (let k = BASE; ; k += BASE) {
      const digit = digitOf(label.charCodeAt(at++))
      if (digit === undefined) return undefined
      place += digit * weight
      const threshold = Math.min(Math.max(k - bias, LEAST), MOST)
      if (digit < threshold) break
      weight *= BASE - threshold
      if (weight > LAST_LETTER * 64) return undefined
    }
    const count = letters.length + 1
    bias = adaptBias(place - before, count, before === 0)
    letter += Math.floor(place / count)
    place %= count
    if (letter > LAST_LETTER) return undefined
    letters.splice(place++, 0, letter)
  }
  return String.fromCodePoint(...letters)
}

/** a to z are 0 to 25, 0 to 9 are 26 to 35; undefined for anything else, also NaN after the end. */
function digitOf(code: number): number | undefined {
  if (code >= 0x61 && code <= 0x7a) return code - 0x61
  return code >= 0x30 && code <= 0x39 ? code - 0x30 + 26 : undefined
}

function adaptBias(delta: number, count: number, isFirst: boolean): number {
  let left = Math.floor(delta / (isFirst ? DAMP : 2))
  left += Math.floor(left / count)
  let k = 0
  for (; left > ((BASE - LEAST) * MOST) / 2; k += BASE) left = Math.floor(left / (BASE - LEAST))
  return k + Math.floor(((BASE - LEAST + 1) * left) / (left + SKEW))
}

export declare namespace listAgents {
  type Result = ({ readonly ok: true } & Listing) | { readonly ok: false; readonly diagnostic: Diagnostic }
}

/**
 * Lists the agents that an organization publishes in the DNS (ADP/1.1 section 4.1.3). Pass each to `discover`.
 *
 * @example
 * const listed = await listAgents('example.com', { resolver: udpResolver() })
 * if (listed.ok) listed.agents // ['alice.example.com', 'bob.example.com']
 *
 * @throws {TypeError} for an invalid domain.
 */
export async function listAgents(domain: string, options: LookupOptions): Promise<listAgents.Result> {
  const { ascii } = readAgentDomain(domain)
  try {
    return { ok: true, ...(await listedAgents(new Lookup(options), ascii)) }
  } catch (error) {
    if (!(error instanceof DnsError)) throw error
    return { ok: false, diagnostic: diagnoseNowhere(error.kind, { detail: error.message }, ascii) }
  }
}
