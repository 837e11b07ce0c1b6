// The domain of an agent, for people and for the DNS.
import { domainIn } from '../../wellknown/identity.ts'
import { decodePunycode } from './punycode.ts'

/** Both forms of a domain. Show both: letters of two scripts may look alike. */
export interface AgentDomain {
  /** `xn--…` for letters beyond ASCII. */
  readonly ascii: string
  readonly unicode: string
}

/**
 * Reads a domain, or the URI of an agent: `alice.example.com`, `agent:alice.example.com`, `bücher.example`.
 *
 * @throws {TypeError} for anything else.
 */
export function readAgentDomain(text: string): AgentDomain {
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
