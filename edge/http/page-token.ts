// Tokens of pages: where a list goes on, with a part of its digest, so that a damaged one is seen and not taken for another.
import { decodeBase64url, encodeBase64url } from 'blazon/keys'

/** One damaged token in 2^48 is taken for another. */
const CHECK_BYTES = 6

/** The lists that have pages; a token of the one is none of the other. */
type List = 'agents' | 'search'

/** The token with which a list goes on at a place. */
export async function pageToken(list: List, place: string): Promise<string> {
  const bytes = new TextEncoder().encode(place)
  return encodeBase64url(Uint8Array.of(...(await check(list, bytes)), ...bytes))
}

/** The place that a token names; undefined for one that no answer had. */
export async function placeOf(list: List, token: string): Promise<string | undefined> {
  const bytes = tryDecode(token)?.subarray(CHECK_BYTES)
  if (bytes === undefined) return undefined
  const place = new TextDecoder().decode(bytes)
  return (await pageToken(list, place)) === token ? place : undefined
}

async function check(list: List, bytes: Uint8Array): Promise<Uint8Array> {
  const labelled = Uint8Array.of(...new TextEncoder().encode(`${list} `), ...bytes)
  return new Uint8Array(await crypto.subtle.digest('SHA-256', labelled), 0, CHECK_BYTES)
}

function tryDecode(token: string): Uint8Array | undefined {
  try {
    return decodeBase64url(token)
  } catch {
    return undefined
  }
}
