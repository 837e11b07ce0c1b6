// Looks up the callers of agents here, with the resolver and the root trust anchors that the operator has set.
import { countOne, type FindAgent, type FindPeer, type GuardedInit, linkMemory, rememberPeers } from 'blazon/agp'
import { discover, dohResolver } from 'blazon/discover'
import { findAgent } from '../agents/find.ts'
import { agentAt } from '../agents/hosts.ts'
import { type Env, numberOf } from '../env.ts'
import { ownerOf, UNKNOWN } from '../http/relay.ts'

/** One DS record in the setting: `20326 8 2 e06d44b8…`. */
const ROW = /^(\d{1,5}) (\d{1,3}) (\d{1,3}) ((?:[\da-f]{2}){20,64})$/i

const METADATA = { own: '/.well-known/agent.json', hosted: /^\/\.well-known\/agents\/([^/]+)\/agent\.json$/ }

/**
 * Fetches from one address per minute on behalf of one caller. Domains are cheap, and all of them may point at one
 * server.
 */
const OF_ADDRESS = { requestsPerMinute: 60, burstSize: 60 }

/** Divides the patience: a silent resolver is asked again, and time is left for the other steps. */
const QUESTIONS = 3

/** Looks up agents. Without a resolver no agent is found, and no caller is accepted. */
export function findPeers(env: Env): FindPeer {
  const { DNS_RESOLVER: url, DNS_ANCHORS: rows } = env
  const addresses = linkMemory()
  const patience = numberOf(env, 'PEER_PATIENCE_MS')
  const find: FindAgent = async (domain, { sender, signal }) => {
    const mayAsk = (address: string) =>
      countOne(addresses, `${sender} ${address}`, { rate: OF_ADDRESS, now: new Date() })
    if (url === undefined || url === '') throw new Error('DNS_RESOLVER is not set')
    const anchors = rows === undefined || rows === '' ? {} : { anchors: { '.': readAnchors(rows) } }
    const fetch = async (input: string, init?: GuardedInit) => {
      const here = await readHere(env, input)
      if (here !== undefined) return here
      if (init?.addresses?.every(mayAsk) === false) throw new Error('too many lookups of agents at that address')
      return globalThis.fetch(input, init)
    }
    fetch.takesAddresses = true
    const resolver = dohResolver(url, { timeoutMs: Math.ceil(patience / QUESTIONS) })
    // A caller needs only a key. The code that calls an agent checks its endpoint itself.
    return discover(domain, { resolver, fetch, signal, timeoutMs: patience, require: 'key-verified', ...anchors })
  }
  const findPeer = rememberPeers(find)
  return (uri, { sender, ...hints } = {}) =>
    findPeer(uri, { ...hints, ...(sender !== undefined && { sender: sender === UNKNOWN ? '' : ownerOf(sender) }) })
}

/**
 * Reads metadata that is served here directly, because a Worker cannot call itself. The DNS records are still queried.
 */
async function readHere(env: Env, input: string): Promise<Response | undefined> {
  const name = await agentAt(env, new URL(input), METADATA)
  const agent = await findAgent({ env, bearer: undefined }, name)
  return agent && new Response(agent.part.bytes, { headers: { 'content-type': 'application/vnd.adp+json' } })
}

/** Reads the trust anchors. Throws for an invalid row: it must not vouch for anything. */
function readAnchors(rows: string) {
  return rows.split(',').map((row) => {
    const [, keyTag, algorithm, digestType, hex] = ROW.exec(row.trim()) ?? []
    if (hex === undefined) throw new Error('DNS_ANCHORS: expected DS records separated by commas')
    const digest = Uint8Array.from(hex.match(/../g)!, (digits) => Number.parseInt(digits, 16))
    return { keyTag: Number(keyTag), algorithm: Number(algorithm), digestType: Number(digestType), digest }
  })
}
