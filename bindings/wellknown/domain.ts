// Domains of agents as the draft has them: host names in ASCII, others as xn--.

const LABEL = /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/i

/** A name of at least two labels that is no address: labels of 63 bytes, 253 in all (RFC 1123, RFC 1035). */
export function isDomain(text: string): boolean {
  const labels = text.split('.')
  return (
    text.length <= 253 &&
    labels.length >= 2 &&
    labels.every((label) => LABEL.test(label)) &&
    !/^\d+$/.test(labels.at(-1)!)
  )
}

/** `agent:` and a domain. */
export const agentUri = (domain: string): string => `agent:${domain}`
