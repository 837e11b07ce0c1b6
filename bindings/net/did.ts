import { diagnoseNowhere } from '../document/diagnose.ts'
import { parse } from '../document/parse.ts'
import type { Diagnostic } from '../document/types.ts'
import { KeyError } from '../keys/base64.ts'
import { type DidKey, didWebUrl, keysOfDidDocument } from '../keys/did.ts'
import { ALL } from '../keys/findings.ts'
import { fetchDocument } from './fetch.ts'

export declare namespace resolveDidWeb {
  type Result =
    | { readonly ok: true; readonly url: string; readonly keys: readonly DidKey[]; readonly addressChecked: boolean }
    | { readonly ok: false; readonly diagnostic: Diagnostic }

  type Options = Pick<fetchDocument.Options, 'fetch' | 'timeoutMs' | 'signal' | 'clock' | 'cache'>
}

const ACCEPT = 'application/did+json, application/did+ld+json, application/json'
/** No redirects: the domain itself must answer, because a redirect could lead to whoever took over an old address. */
const LIMITS = { maxBytes: 65_536, maxRedirects: 0 }
const DEPTH = 32

/**
 * Fetches the keys that the domain of a did:web publishes for signing statements.
 *
 * @example
 * const resolved = await resolveDidWeb('did:web:acme.example.com:agents:scout', { fetch })
 * if (resolved.ok) resolved.keys // [{ id: 'did:web:acme.example.com:agents:scout#key-1', key: Key }]
 */
export async function resolveDidWeb(did: string, options: resolveDidWeb.Options = {}): Promise<resolveDidWeb.Result> {
  try {
    const url = didWebUrl(did)
    const outcome = await fetchDocument(url, ACCEPT, { ...options, ...LIMITS })
    if (!outcome.ok) return outcome
    const { bytes, addressChecked } = outcome.fetched
    const { document, diagnostics } = parse(bytes, { file: url, maxDepth: DEPTH })
    if (document === undefined) return { ok: false, diagnostic: diagnostics[0]! }
    return { ok: true, url, keys: keysOfDidDocument(did, document.value), addressChecked }
  } catch (error) {
    const kind =
      error instanceof KeyError ? ALL.find(({ id, code }) => id === 'key/did' && code === error.code) : undefined
    if (kind === undefined) throw error
    return { ok: false, diagnostic: diagnoseNowhere(kind, { detail: (error as KeyError).message }, did) }
  }
}
