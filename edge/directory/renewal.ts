// Before a card expires, its agent is asked for it again (ADP section 6.3), if it has an HTTP endpoint.
import { Card, selectEndpoint } from 'blazon/card'
import type { AdvertiseResult, CardStore } from 'blazon/directory'
import { fetchDocument, type GuardedFetch } from 'blazon/discover'
import { parseJson } from 'blazon/document'
import { MOVED, type MovedAnswer } from '../contracts/directory.ts'

/** The time before a card's expiry. */
export const LEAD_MS = 300_000
/** The delay before asking an agent again that did not answer. */
const RETRY_MS = 60_000
/** The most agents to ask per alarm, all at once. */
const MOST_AT_ONCE = 20
const PATIENCE_MS = 5000
/** The most cards to look at per alarm: after many that do not answer, the rest waits for the next alarm. */
const MOST_LOOKED_AT = 500
/** The most bytes of a message (section 7.6). */
const MOST_BYTES = 65_535

/** Stores a card of an agent, unless the card is moving to another shard. */
type Put = (id: string, card: Uint8Array, operator: boolean) => Promise<AdvertiseResult | MovedAnswer>

/** Asks agents for their cards again, a bounded number at a time, and never at an address that is not public. */
export class Renewal {
  readonly #store: CardStore
  readonly #put: Put
  readonly #fetch: GuardedFetch
  /** The time of each failed attempt; forgotten once the card has expired. */
  #failed = new Map<string, number>()
  /** The last alarm covered the cards that expire up to then; it did not reach the others. */
  #reached = 0

  constructor(store: CardStore, put: Put, fetch: GuardedFetch) {
    this.#store = store
    this.#put = put
    this.#fetch = fetch
  }

  /** Renews some of the cards that expire soon; the others wait for later alarms. */
  async run(now: number): Promise<void> {
    const due = this.#due(now)
    const renewed = await Promise.all(due.map((id) => this.#renew(id).catch(() => false)))
    for (const [i, id] of due.entries()) if (renewed[i] !== true) this.#failed.set(id, now)
  }

  #due(now: number): string[] {
    for (const [id, last] of this.#failed) if (last < now - LEAD_MS) this.#failed.delete(id)
    const due: string[] = []
    let looked = 0
    let before = Math.max(this.#reached, now)
    let reached = before
    for (const { id, expiresAt } of this.#store.expiring(before, now + LEAD_MS)) {
      if (++looked > MOST_LOOKED_AT || due.length === MOST_AT_ONCE) {
        // Other cards may expire in the same millisecond. They are skipped if none of very many needs a request.
        this.#reached = due.length > 0 ? before : reached
        return due
      }
      if (expiresAt > reached) before = reached
      reached = expiresAt
      const last = this.#failed.get(id)
      if (last === undefined || last <= now - RETRY_MS) due.push(id)
    }
    // Starts over from the first card.
    this.#reached = 0
    return due
  }

  async #renew(id: string): Promise<boolean> {
    const stored = this.#store.get(id)
    if (stored === undefined) return false
    const { bytes, standing } = stored
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
    // The holder of the token that the card came with vouched for its endpoint.
    const advertised = await this.#put(id, outcome.fetched.bytes, standing === 'token')
    return advertised !== MOVED && advertised.status === 'OK'
  }
}

/** The address at which the agent answers `adp.describe`; undefined without an HTTP endpoint. */
function describeAddress(bytes: Uint8Array): string | undefined {
  const { endpoints } = selectEndpoint(new Card(parseJson(bytes).document!), { protocols: ['http+json'], auth: [] })
  const [first] = endpoints
  return first === undefined ? undefined : `${first.uri.replace(/\/$/, '')}/adp/describe`
}
