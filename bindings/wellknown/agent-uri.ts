import { isDomain } from '../text/host-name.ts'

/** The identifier of an agent (ADP/1.1 section 2): `agent:` and its domain. */
export const agentUri = (domain: string): string => `agent:${domain}`

const PREFIX = /^agent:(?!\/\/)/i
/** What would make a URL of a name. */
const NO_NAME = /[\s/\\:@?#%[\]]/

/** The domain that people mean, as the DNS has it: from its name or URI, in any letters; undefined of what names none. */
export function domainIn(text: string): string | undefined {
  const name = text.replace(PREFIX, '').replace(/\.$/, '')
  if (name.length > 1000 || NO_NAME.test(name) || !URL.canParse(`https://${name}`)) return undefined
  // The platform maps names as browsers do (UTS 46).
  const ascii = new URL(`https://${name}`).hostname
  return isDomain(ascii) ? ascii : undefined
}

/** An identifier to compare with that of a document: domains have no case, and people write them in their own letters. */
export function idIn(text: string): string {
  const domain = PREFIX.test(text) ? domainIn(text) : undefined
  return domain === undefined ? text.toLowerCase() : agentUri(domain)
}
