import { anchorsFromText, type TrustAnchors } from '../../bindings/discover/dns/dnssec/rdata.ts'
import { UsageError } from '../usage.ts'

/** Reads the keys to trust instead of those of the root. */
export function readAnchors(text: string, file: string): TrustAnchors {
  try {
    return anchorsFromText(text)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UsageError('invalid-value', `${file}: ${error.message}`, 'as in ". IN DS 20326 8 2 E06D44B8…"')
  }
}
