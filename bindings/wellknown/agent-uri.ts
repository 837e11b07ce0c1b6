import { isDomain } from '../text/host-name.ts'

/** The identifier of an agent (ADP/1.1 section 2): `agent:` and its domain. */
export const agentUri = (domain: string): string => `agent:${domain}`

const PREFIX = /^agent:(?!\/\/)/i
/** Characters that would turn a name into a URL. */
const NO_NAME = /[\s/\\:@?#%[\]]/

/** Returns the DNS form of a domain, from a name or agent URI in any script. Undefined for other text. */
export function domainIn(text: string): string | undefined {
  const name = text.replace(PREFIX, '').replace(/\.$/, '')
  if (name.length > 1000 || NO_NAME.test(name) || !URL.canParse(`https://${name}`)) return undefined
  // The platform maps names to ASCII as browsers do (UTS 46).
  const ascii = new URL(`https://${name}`).hostname
  return isDomain(ascii) ? ascii : undefined
}

/**
 * Normalizes an identifier for comparison with that of a document: domains ignore case and may be written in any
 * script.
 */
export function idIn(text: string): string {
  const domain = PREFIX.test(text) ? domainIn(text) : undefined
  return domain === undefined ? text.toLowerCase() : agentUri(domain)
}
