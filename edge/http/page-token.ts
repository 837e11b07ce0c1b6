// Page tokens: the place where a list continues, after a part of its digest, so that a damaged token is recognized.
import { encodeBase64url } from 'blazon/keys'

/** One in 2^48 damaged tokens goes undetected. */
const CHECK_BYTES = 6
const CHECK_LETTERS = 8

/** The lists that have pages. Their tokens are not interchangeable. */
type List = 'agents' | 'search'

/** The token that continues a list at a place. */
export async function pageToken(list: List, place: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${list} ${place}`))
  return encodeBase64url(new Uint8Array(digest, 0, CHECK_BYTES)) + place
}

/** The place in a token; undefined for a token that was not issued here. */
export async function placeOf(list: List, token: string): Promise<string | undefined> {
  const place = token.slice(CHECK_LETTERS)
  return (await pageToken(list, place)) === token ? place : undefined
}
