import { request } from 'node:https'
import { Readable } from 'node:stream'
import { parseAddress } from '../text/address.ts'

interface Connection {
  readonly method: string
  readonly headers: Headers
  readonly body: RequestInit['body'] | undefined
  readonly signal: AbortSignal
  /** The address to connect to, whatever the name of the host resolves to. */
  readonly address: string
  readonly ca: string | undefined
}

/** Asks one server, at one address, by its name. Redirects are answers like others. */
export function connect(url: URL, { method, headers, body, signal, address, ca }: Connection): Promise<Response> {
  if (body != null && typeof body !== 'string' && !(body instanceof Uint8Array)) {
    throw new TypeError('body: expected text or bytes')
  }
  const family = address.includes(':') ? 6 : 4
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      {
        method,
        headers: Object.fromEntries(headers),
        // A connection of its own: a kept one would be to an address that was checked for another name.
        agent: false,
        minVersion: 'TLSv1.2',
        // Not asked for literals, which are what they are.
        lookup: (_host, { all }, answer) => (all ? answer(null, [{ address, family }]) : answer(null, address, family)),
        ...(family === 4 && parseAddress(url.hostname) !== undefined && { host: address }),
        ...(ca !== undefined && { ca }),
        signal,
      },
      (incoming) => {
        const { statusCode = 0 } = incoming
        const headers = new Headers()
        for (let i = 0; i < incoming.rawHeaders.length; i += 2) {
          headers.append(incoming.rawHeaders[i]!, incoming.rawHeaders[i + 1]!)
        }
        // These have no body, and Response refuses to be given one.
        const empty = [101, 204, 205, 304].includes(statusCode)
        if (empty) incoming.resume()
        const body = empty ? null : (Readable.toWeb(incoming) as ReadableStream<Uint8Array>)
        try {
          resolve(new Response(body, { status: statusCode, headers }))
        } catch (error) {
          incoming.destroy()
          reject(error)
        }
      },
    )
    outgoing.once('error', reject)
    outgoing.end(body ?? undefined)
  })
}
