/** Senders that a platform cannot distinguish are counted together. */
const UNKNOWN = 'unknown'

/**
 * The sender for rate limits: the client address that Cloudflare saw. Only requests through Cloudflare have one;
 * elsewhere clients could set the header themselves. An IPv6 sender counts as its /64.
 */
export function senderOf(request: Pick<Request, 'headers'> & { readonly cf?: unknown }): string {
  const address = request.cf === undefined ? null : request.headers.get('cf-connecting-ip')
  if (address === null) return UNKNOWN
  return address.includes(':') ? prefixOf(address) : address
}

/** The part of a sender that one owner may control: for IPv6 its /56, which providers give to a household. */
export function ownerOf(sender: string): string {
  const [, network, subnet] = /^((?:[\da-f]+:){3})([\da-f]{1,4})::\/64$/.exec(sender) ?? []
  return subnet === undefined ? sender : `${network}${subnet.padStart(4, '0').slice(0, 2)}00::/56`
}

/** The first four groups of an IPv6 address. */
function prefixOf(address: string): string {
  const [head = '', tail] = address.toLowerCase().split('::')
  const groups = head === '' ? [] : head.split(':')
  const rest = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - groups.length - rest.length)).fill('0')
  const all = [...groups, ...zeros, ...rest].slice(0, 4)
  return `${all.map((group) => group.replace(/^0+(?=.)/, '')).join(':')}::/64`
}
