// The command line's own fetch: it resolves a name once, refuses addresses that are not public, and connects to the very
// address that it checked, so that a name cannot point somewhere else a moment later.
import { lookup } from 'node:dns/promises'
import { request } from 'node:https'
import { Readable } from 'node:stream'
import type { GuardedFetch } from '../../bindings/discover/fetch.ts'
import { parseAddress, specialPurpose } from '../../bindings/document/address.ts'

export interface Dialer {
  /** All addresses of a name, as text. */
  resolve(host: string): Promise<readonly string[]>
  /** Where to connect for an address that was found to be public: itself, but for tests. */
  dial(address: string): string
  /** Certificates of authorities in PEM, instead of those that come with Node. */
  readonly ca?: string
}

const PLATFORM: Dialer = {
  resolve: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
  dial: (address) => address,
}

/** Why `fetch` did not connect. */
class AddressRefused extends Error {}

/** A fetch that connects to public addresses only. It follows no redirect and sends nothing that it was not given. */
export function guardedFetch(dialer: Dialer = PLATFORM): GuardedFetch {
  const fetch = async (input: string, init: RequestInit = {}): Promise<Response> => {
    const url = new URL(input)
    const address = dialer.dial(await publicAddress(url.hostname, dialer))
    return await send(url, init, address, dialer.ca)
  }
  return Object.assign(fetch, { checksAddresses: true })
}

/** The first address of a host, when all that it has are public: one that is not is how a name attacks a network. */
async function publicAddress(hostname: string, { resolve }: Dialer): Promise<string> {
  const host = hostname.replace(/^\[|\]$/g, '')
  const addresses = parseAddress(host) === undefined ? await resolve(host) : [host]
  for (const text of addresses) {
    const address = parseAddress(text)
    const purpose = address === undefined ? 'no address that is known here' : specialPurpose(address)
    if (purpose !== undefined) throw new AddressRefused(`${hostname} is ${text} (${purpose}), which is not public`)
  }
  if (addresses[0] === undefined) throw new AddressRefused(`${hostname} has no address`)
  return addresses[0]
}

function send(url: URL, init: RequestInit, address: string, ca: string | undefined): Promise<Response> {
  const family = address.includes(':') ? 6 : 4
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      {
        method: init.method ?? 'GET',
        headers: Object.fromEntries(new Headers(init.headers)),
        // A connection of its own: a kept one would be to an address that was checked for another name.
        agent: false,
        minVersion: 'TLSv1.2',
        // Not asked for literals, which are what they are.
        lookup: (_host, { all }, answer) => (all ? answer(null, [{ address, family }]) : answer(null, address, family)),
        ...(family === 4 && parseAddress(url.hostname) !== undefined && { host: address }),
        ...(ca !== undefined && { ca }),
        ...(init.signal != null && { signal: init.signal }),
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
    if (typeof init.body === 'string' || init.body instanceof Uint8Array) outgoing.end(init.body)
    else outgoing.end()
  })
}
