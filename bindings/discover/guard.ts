// Which hosts are never asked (ADL 18.7): those that are, or are known to stand for, something within somebody's network.
import { insideSuffix, parseAddress, specialPurpose } from '../document/address.ts'

/**
 * Why a host of a URL must not be asked; undefined when nothing is known against its name.
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
  // What a resolver does with an empty label is its own matter.
  if (name.split('.').includes('')) return 'a name with an empty label is none'
  const suffix = insideSuffix(name)
  if (suffix !== undefined) return `names that end in ${suffix} are not public`
  return name.includes('.') ? undefined : 'a name without a dot is not public'
}
