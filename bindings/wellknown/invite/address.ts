// The agent and the address that an invitation names, where they can be used.
import { isDomain } from '../../text/host-name.ts'

/** In lower case; undefined for what names no agent. */
export function domainOf(agent: string): string | undefined {
  const domain = /^agent:(.*)$/i.exec(agent)?.[1]?.toLowerCase()
  return domain !== undefined && isDomain(domain) ? domain : undefined
}

/** A shorter one may be a word of any address, and is none that keeps anybody out. */
const LEAST_CODE = 8

/**
 * An address that metadata may be fetched from; undefined for another. The code, which is a secret, does not stand in it: addresses
 * are logged, and stand in traces.
 */
export function addressOf(text: string, code = ''): URL | undefined {
  if (!/^https:\/\//i.test(text) || !URL.canParse(text)) return undefined
  if (code.length >= LEAST_CODE && text.includes(code)) return undefined
  const address = new URL(text)
  return isDomain(address.hostname) && address.username === '' && address.password === '' ? address : undefined
}
