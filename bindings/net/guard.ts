// Hosts that are never asked (ADL 18.7): those that are, or are known to stand for, something inside a private network.
import { insideSuffix, parseAddress, specialPurpose } from '../text/address.ts'

/**
 * The reason why a URL's host must not be asked; undefined when nothing is known against its name.
 *
 * @example
 * refuseAddress('169.254.169.254') // 'the address is not public: Link Local'
 * refuseAddress('acme.example.com') // undefined
 */
export function refuseAddress(host: string): string | undefined {
  const name = host
    .replace(/^\[|\]$/g, '')
    .replace(/\.$/, '')
    .toLowerCase()
  const address = parseAddress(name)
  if (address !== undefined) {
    const purpose = specialPurpose(address)
    return purpose === undefined ? undefined : `the address is not public: ${purpose}`
  }
  // Resolvers differ in how they treat an empty label.
  if (name.split('.').includes('')) return 'a name with an empty label is not valid'
  const suffix = insideSuffix(name)
  if (suffix !== undefined) return `names that end in ${suffix} are not public`
  return name.includes('.') ? undefined : 'a name without a dot is not public'
}

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** True of a name or an address of this very machine. */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host) || host === '::1'

/**
 * The reason why a URL must not be asked; undefined when nothing is known against it.
 *
 * @param allowsLoopback lets it be on this machine.
 */
export function refuseUrl({ protocol, username, password, hostname }: URL, allowsLoopback = false): string | undefined {
  if (protocol !== 'https:') return 'only https is read'
  if (username !== '' || password !== '') return 'a URL with a user name is not read'
  return allowsLoopback && isLoopback(hostname) ? undefined : refuseAddress(hostname)
}
