// The agent and the address that an invitation names, where they can be used.
import { isDomain } from '../../text/host-name.ts'

/** In lower case; undefined for what names no agent. */
export function domainOf(agent: string): string | undefined {
  const domain = /^agent:(.*)$/i.exec(agent)?.[1]?.toLowerCase()
  return domain !== undefined && isDomain(domain) ? domain : undefined
}

/** An address that metadata may be fetched from; undefined for another. */
export function addressOf(text: string): URL | undefined {
  if (!/^https:\/\//i.test(text) || !URL.canParse(text)) return undefined
  const address = new URL(text)
  return isDomain(address.hostname) && address.username === '' && address.password === '' ? address : undefined
}
