// Names of hosts on the Internet, in ASCII: labels of at most 63 bytes, 253 in all (RFC 1035, RFC 1123).

const HOST_LABEL = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i
const DOMAIN_LABEL = /^[a-z\d_](?:[a-z\d_-]{0,61}[a-z\d_])?$/i
/** Every URL parser reads a name with such a last label as an IPv4 address (URL Standard, "ends in a number"). */
const NUMBER = /^(?:\d+|0x[\da-f]*)$/i
const LONGEST = 253

/** True for a host name with at least two labels, in any case, without a trailing dot. */
export const isHostName = (text: string): boolean => isDotted(text, HOST_LABEL)

/** The same with underscores, which DNS names may have. */
export const isDomain = (text: string): boolean => isDotted(text, DOMAIN_LABEL)

function isDotted(text: string, label: RegExp): boolean {
  if (text.length > LONGEST) return false
  const labels = text.split('.')
  return labels.length >= 2 && labels.every((name) => label.test(name)) && !NUMBER.test(labels.at(-1)!)
}
