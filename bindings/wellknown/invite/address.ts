// Parses the agent and the address in an invitation, if they can be used.
import { isDomain } from '../../text/host-name.ts'

/** Returns the domain in lower case. Undefined for text that is not an agent URI. */
export function domainOf(agent: string): string | undefined {
  const domain = /^agent:(.*)$/i.exec(agent)?.[1]?.toLowerCase()
  return domain !== undefined && isDomain(domain) ? domain : undefined
}

/** A shorter code may occur in any address by chance, and gives no protection anyway. */
const LEAST_CODE = 8

/**
 * Returns an address from which metadata may be fetched. Undefined for others. The address must not contain the code,
 * because addresses are logged and recorded in traces.
 */
export function addressOf(text: string, code = ''): URL | undefined {
  if (!/^https:\/\//i.test(text) || !URL.canParse(text)) return undefined
  if (code.length >= LEAST_CODE && text.includes(code)) return undefined
  const address = new URL(text)
  return isDomain(address.hostname) && address.username === '' && address.password === '' ? address : undefined
}
