// Before a card expires its agent is asked for it again (ADP section 6.3), when it has an endpoint that HTTP reaches.
import { Card, selectEndpoint } from 'blazon/card'
import type { Advertised, CardStore, StoredCard } from 'blazon/directory'
import { fetchDocument, type GuardedFetch } from 'blazon/discover'
import { parse } from 'blazon/document'
import { MOVED, type Moved } from './moved.ts'

/** So long before it expires. */
export const LEAD_MS = 300_000
/** An agent that did not answer is asked again after it. */
const RETRY_MS = 60_000
/** Asked at once, and for one alarm. */
const MOST_AT_ONCE = 20
const PATIENCE_MS = 5000
/** What a message may have (section 7.6). */
const MOST_BYTES = 65_535

/** Takes a card of an agent, unless it is just moving to another shard. */
type Put = (id: string, card: Uint8Array, operator: boolean) => Promise<Advertised | Moved>

/** Asks agents for their cards again, a bounded number at a time, and never at an address that is not public. */
export class Renewal {
  readonly #store: CardStore
  readonly #put: Put
  readonly #fetch: GuardedFetch
  /** When each was asked without success; those whose cards expired since are forgotten. */
  #failed = new Map<string, number>()

  constructor(store: CardStore, put: Put, fetch: GuardedFetch) {
    this.#store = store
    this.#put = put
    this.#fetch = fetch
  }

  /** Renews what expires soon; how many cards are left for the next time. */
  async run(now: number): Promise<number> {
    const due: StoredCard[] = []
    const failed = new Map<string, number>()
    let left = 0
    for (const stored of this.#store.expiring(now, now + LEAD_MS)) {
      const last = this.#failed.get(stored.id)
      if (last !== undefined) failed.set(stored.id, last)
      if (last !== undefined && last > now - RETRY_MS) continue
      if (due.length < MOST_AT_ONCE) due.push(stored)
      else left++
    }
    this.#failed = failed
    const renewed = await Promise.all(due.map((stored) => this.#renew(stored).catch(() => false)))
    for (const [i, { id }] of due.entries()) if (renewed[i] !== true) this.#failed.set(id, now)
    return left
  }

  async #renew({ id, bytes, standing }: StoredCard): Promise<boolean> {
    const address = describeAddress(bytes)
    if (address === undefined) return false
    const outcome = await fetchDocument(address, 'application/json', {
      fetch: this.#fetch,
      body: '{}',
      maxBytes: MOST_BYTES,
      timeoutMs: PATIENCE_MS,
      maxRedirects: 0,
    })
    if (!outcome.ok) return false
    // Who put the card in by a token vouched for the endpoint that is in it.
    const advertised = await this.#put(id, outcome.fetched.bytes, standing === 'token')
    return advertised !== MOVED && advertised.status === 'OK'
  }
}

/** Where the agent answers `adp.describe`; undefined when it has no endpoint of HTTP. */
function describeAddress(bytes: Uint8Array): string | undefined {
  const { endpoints } = selectEndpoint(new Card(parse(bytes).document!), { protocols: ['http+json'], auth: [] })
  const [first] = endpoints
  return first === undefined ? undefined : `${first.uri.replace(/\/$/, '')}/adp/describe`
}
