// The domain of an agent, as people write it and as the DNS has it.
import { isDomain } from '../../text/host-name.ts'
import { decodePunycode } from './punycode.ts'

/** Both forms of a domain, for nobody should be shown one alone: letters of two scripts may look alike. */
export interface AgentDomain {
  /** `xn--…` where there are letters beyond ASCII. */
  readonly ascii: string
  readonly unicode: string
}

const PREFIX = /^agent:(?!\/\/)/i
/** What would make a URL of a name. */
const NO_NAME = /[\s/\\:@?#%[\]]/

/**
 * Reads a domain, or the URI of an agent: `alice.example.com`, `agent:alice.example.com`, `bücher.example`.
 *
 * @throws {TypeError} for what is neither.
 */
export function readAgentDomain(text: string): AgentDomain {
  const refused = () => new TypeError(`domain: expected one such as alice.example.com, got ${JSON.stringify(text)}`)
  if (typeof text !== 'string') throw new TypeError(`domain: expected text, got ${typeof text}`)
  const name = text.replace(PREFIX, '').replace(/\.$/, '')
  if (name.length > 1000 || NO_NAME.test(name) || !URL.canParse(`https://${name}`)) throw refused()
  // The platform maps names as browsers do (UTS 46).
  const ascii = new URL(`https://${name}`).hostname
  if (!isDomain(ascii)) throw refused()
  return { ascii, unicode: unicodeOf(ascii) }
}

/** The form in ASCII stays where the other one does not lead back to it. */
function unicodeOf(ascii: string): string {
  const unicode = ascii
    .split('.')
    .map((label) => (label.startsWith('xn--') ? (decodePunycode(label.slice(4)) ?? label) : label))
    .join('.')
  const isSame = URL.canParse(`https://${unicode}`) && new URL(`https://${unicode}`).hostname === ascii
  return isSame ? unicode : ascii
}
