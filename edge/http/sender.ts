/** Whom a platform does not tell apart are counted together. */
const UNKNOWN = 'unknown'

/**
 * Whom limits count: the address that Cloudflare saw, which only requests that came through it have. Elsewhere the header is
 * whatever a client wrote into it. Who has an address of IPv6 has a whole /64 of them.
 */
export function senderOf(request: Pick<Request, 'headers'> & { readonly cf?: unknown }): string {
  const address = request.cf === undefined ? null : request.headers.get('cf-connecting-ip')
  if (address === null) return UNKNOWN
  return address.includes(':') ? prefixOf(address) : address
}

/** The first four groups of an address of IPv6. */
function prefixOf(address: string): string {
  const [head = '', tail] = address.toLowerCase().split('::')
  const groups = head === '' ? [] : head.split(':')
  const rest = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - groups.length - rest.length)).fill('0')
  const all = [...groups, ...zeros, ...rest].slice(0, 4)
  return `${all.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`
}
