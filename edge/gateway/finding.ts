// How those who speak to agents here are found: by the resolver and the keys of the root that the operator has set.
import { type FindAgent, type FindPeer, rememberPeers } from 'blazon/agp'
import { type Ds, discover, dohResolver } from 'blazon/discover'
import type { Env } from '../env.ts'

/** A row as DS records are written: `20326 8 2 e06d44b8…`. */
const ROW = /^(\d{1,5}) (\d{1,3}) (\d{1,3}) ((?:[\da-f]{2}){20,64})$/i

/** Without a resolver nobody is found, and so nobody is let in. */
export function findPeers({ DNS_RESOLVER: url, DNS_ANCHORS: rows }: Env): FindPeer {
  const find: FindAgent = async (domain) => {
    if (url === undefined || url === '') throw new Error('DNS_RESOLVER is not set')
    const anchors = rows === undefined || rows === '' ? {} : { anchors: { '.': readAnchors(rows) } }
    return discover(domain, { resolver: dohResolver(url), need: 'peer', require: 'key-verified', ...anchors })
  }
  return rememberPeers(find)
}

/** One that cannot be read vouches for nothing. */
function readAnchors(rows: string): Ds[] {
  return rows.split(',').map((row) => {
    const [, keyTag, algorithm, digestType, hex] = ROW.exec(row.trim()) ?? []
    if (hex === undefined) throw new Error('DNS_ANCHORS: expected rows of DS records, with commas between them')
    const digest = Uint8Array.from(hex.match(/../g)!, (digits) => Number.parseInt(digits, 16))
    return { keyTag: Number(keyTag), algorithm: Number(algorithm), digestType: Number(digestType), digest }
  })
}
