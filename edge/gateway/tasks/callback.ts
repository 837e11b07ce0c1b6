// Restricts the addresses of results: a server that sends anywhere could be used to attack others.
import { addressFault } from 'blazon/agp'
import { parseUrl } from '../../http/origins.ts'
import type { Caller } from '../callers.ts'

const LONGEST = 2048
export const CALLBACK_CODE = 'AGP-158'

/** Why no result of this caller may go to this address; undefined if it may. */
export function callbackFault(callback: string, { peer }: Caller, origins: readonly string[]): string | undefined {
  const url = callback.length > LONGEST ? undefined : parseUrl(callback)
  if (url === undefined) return 'The callback is not a valid address'
  const why = addressFault(url.href)
  if (why !== undefined) return `The callback is not allowed: ${why}`
  const own = peer === undefined ? [] : [`https://${peer.uri.slice('agent:'.length)}`, ...Object.values(peer.endpoints)]
  const isOwn = own.some((address) => parseUrl(address)?.origin === url.origin)
  if (isOwn || origins.includes(url.origin)) return undefined
  return 'The callback has neither an origin of the caller’s metadata nor one that the operator allows'
}
