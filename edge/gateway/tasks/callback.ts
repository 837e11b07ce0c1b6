// Restricts the addresses of results: a server that sends anywhere could be used to attack others.
import { addressFault } from 'blazon/agp'
import { parseUrl } from '../../http/origins.ts'
import type { Caller } from '../callers.ts'

const LONGEST = 2048
export const CALLBACK_CODE = 'AGP-158'

/** The reason, in words, why no result may go to this address for this caller; undefined if it may. */
export function callbackFault(callback: string, { peer }: Caller, origins: readonly string[]): string | undefined {
  const url = callback.length > LONGEST ? undefined : parseUrl(callback)
  if (url === undefined) return 'The callback is no address'
  const why = addressFault(url.href)
  if (why !== undefined) return `The callback is not asked: ${why}`
  const own = peer === undefined ? [] : [`https://${peer.uri.slice('agent:'.length)}`, ...Object.values(peer.endpoints)]
  const isOwn = own.some((address) => parseUrl(address)?.origin === url.origin)
  if (isOwn || origins.includes(url.origin)) return undefined
  return 'The callback is at no origin of the metadata of who calls, nor at one that the operator has named'
}
