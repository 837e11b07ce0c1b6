// Tokens of pages: where a list goes on, behind a part of its digest, so that a damaged one is seen and not taken for another.
import { encodeBase64url } from 'blazon/keys'

/** One damaged token in 2^48 is taken for another. */
const CHECK_BYTES = 6
const CHECK_LETTERS = 8

/** The lists that have pages; a token of the one is none of the other. */
type List = 'agents' | 'search'

/** The token with which a list goes on at a place. */
export async function pageToken(list: List, place: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${list} ${place}`))
  return encodeBase64url(new Uint8Array(digest, 0, CHECK_BYTES)) + place
}

/** The place that a token names; undefined for one that no answer had. */
export async function placeOf(list: List, token: string): Promise<string | undefined> {
  const place = token.slice(CHECK_LETTERS)
  return (await pageToken(list, place)) === token ? place : undefined
}
