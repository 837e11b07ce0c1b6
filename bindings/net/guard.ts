// Refuses hosts inside private networks (ADL 18.7): private addresses, and names that are known to stand for them.

import { insideSuffix, parseAddress, specialPurpose } from '../text/address.ts'

/**
 * Why a URL's host must not be contacted; undefined when its name is allowed.
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

/** True for a name or an address of this machine. */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host) || host === '::1'

/**
 * Why a URL must not be requested; undefined when it is allowed.
 *
 * @param allowsLoopback allows hosts on this machine.
 */
export function refuseUrl({ protocol, username, password, hostname }: URL, allowsLoopback = false): string | undefined {
  if (protocol !== 'https:') return 'only https is read'
  if (username !== '' || password !== '') return 'a URL with a user name is not read'
  return allowsLoopback && isLoopback(hostname) ? undefined : refuseAddress(hostname)
}
