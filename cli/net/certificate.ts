import { fetchDocument, type GuardedFetch } from '../../bindings/net/fetch.ts'
import { FETCH_FAILED } from '../../bindings/net/findings.ts'
import { Unreadable } from '../outcome.ts'

/** As in `alice.example.com:443`. */
const PLACE = /^[\w.-]+:\d{1,5}$/

export const isPlace = (text: string): boolean => PLACE.test(text)

/** Fetches the certificate of a server in DER, checked for its name. Sends no HTTP request. */
export async function certificateAt(place: string, fetch: GuardedFetch): Promise<Uint8Array> {
  let certificate: Uint8Array | undefined
  const outcome = await fetchDocument(`https://${place}/`, '*/*', {
    fetch,
    maxRedirects: 0,
    checkConnection({ certificates }) {
      certificate = certificates[0]
      return { kind: FETCH_FAILED, detail: 'only its certificate was needed' }
    },
  })
  if (certificate !== undefined) return certificate
  throw new Unreadable({ file: place, diagnostics: outcome.ok ? [] : [outcome.diagnostic] })
}
