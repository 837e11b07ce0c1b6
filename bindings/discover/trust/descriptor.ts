// The capability descriptor, which `cap` names and whose digest is `cap-sha256`.
import { encodeBase64url } from '../../keys/base64.ts'
import { sameBytes } from '../../text/bytes.ts'
import { isDomain } from '../../text/host-name.ts'
import { quoted } from '../../text/words.ts'
import { sha256 } from '../../wasm/sha256.ts'
import { SVCB_CAP, SVCB_CAP_SHA256 } from '../dns/findings.ts'
import { type AtHost, addressesOf, mismatchOf } from './host.ts'
import { type DiscoveryContext, words } from './levels.ts'
import { type AgentLocation, DiscoveryStopped } from './locate.ts'
import { readDigest } from './trace.ts'

/** Four times the limit of metadata: it lists skills with their schemas. */
const LARGEST = 262_144

/** @throws {DiscoveryStopped} for a descriptor with another digest. */
export async function readDescriptor(
  task: DiscoveryContext,
  located: AgentLocation,
  host: AtHost,
): Promise<Uint8Array | undefined> {
  const { account, wire, asked } = task
  const { cap, capSha256 } = located.svcb.service ?? {}
  const open = (why: string) => account.warn('descriptor', why, SVCB_CAP)
  if (cap === undefined) return account.steps.skipped('descriptor', 'the DNS names none')
  const url = URL.canParse(cap) ? new URL(cap) : undefined
  if (url?.protocol !== 'https:' || !isDomain(url.hostname)) {
    open(`${quoted(cap)} is not an https URL with a host name`)
    return undefined
  }
  url.hash = ''
  const isHere = url.hostname === located.host
  const addresses = isHere ? host.addresses : (await addressesOf(task, url.hostname, 'descriptor')).addresses
  const isSame = isHere && Number(url.port || 443) === located.port
  const outcome = await wire.get(url.href, {
    accept: '*/*',
    section: SVCB_CAP_SHA256.section,
    maxBytes: LARGEST,
    addresses,
    ...(isSame && { checkConnection: (connection) => mismatchOf(host, connection, asked) }),
  })
  if (!outcome.ok) {
    open(outcome.diagnostic.detail)
    return undefined
  }
  const { bytes } = outcome.fetched
  const shown = `${bytes.length} bytes from ${url.href}`
  if (capSha256 === undefined) {
    open(`${shown}, but no cap-sha256 to compare it with`)
    return bytes
  }
  const digest = readDigest(capSha256)
  const own = sha256(bytes)
  if (digest === undefined || !sameBytes(digest, own)) {
    const detail = `the DNS names ${quoted(capSha256)}, ${url.href} has ${encodeBase64url(own)}`
    throw new DiscoveryStopped('descriptor', SVCB_CAP_SHA256, detail)
  }
  account.steps.passed('descriptor', `${shown}; ${words(located.svcb)}`)
  account.shows.push('the capability descriptor is the one that the DNS names')
  return bytes
}
