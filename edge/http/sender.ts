/** The period of the rate limits in wrangler.jsonc, in seconds. */
export const MINUTE = 60

/** Senders that a platform cannot distinguish are counted together. */
export const UNKNOWN = 'unknown'

/**
 * The sender for rate limits: the client address that Cloudflare saw. Only requests through Cloudflare have one;
 * elsewhere clients could set the header themselves. An IPv6 sender counts as its /64.
 */
export function senderOf(request: Pick<Request, 'headers'> & { readonly cf?: unknown }): string {
  const address = request.headers.get('cf-connecting-ip')
  // The platform parses `cf` when it is read, which takes long.
  if (address === null || request.cf === undefined) return UNKNOWN
  return address.includes(':') ? networkOf(address, 64) : address
}

/** The part of a sender that one owner may control: for IPv6 its /56, which providers give to a household. */
export const ownerOf = (sender: string): string =>
  sender.endsWith('/64') ? networkOf(sender.slice(0, -'/64'.length), 56) : sender

/** The network of an IPv6 address, written as its first four groups. */
function networkOf(address: string, bits: 56 | 64): string {
  const [head = '', tail] = address.split('::')
  const groups = head === '' ? [] : head.split(':')
  const rest = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - groups.length - rest.length)).fill('0')
  const [a = 0, b = 0, c = 0, d = 0] = [...groups, ...zeros, ...rest].map((group) => Number.parseInt(group, 16))
  return `${[a, b, c, bits === 56 ? d & 0xff00 : d].map((group) => group.toString(16)).join(':')}::/${bits}`
}
