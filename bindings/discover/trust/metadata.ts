// Fetches the metadata of an agent, and compares it with its domain and the DNS.

import { type Document, parse } from '../../document/parse.ts'
import type { Diagnostic } from '../../document/types.ts'
import { check } from '../../frame/check.ts'
import { open } from '../../frame/open.ts'
import { verifyParsed } from '../../frame/verify.ts'
import type { Connection } from '../../net/fetch.ts'
import { isLoopback } from '../../net/guard.ts'
import { objectMember, valueIn } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import { METADATA_OTHER_AGENT } from '../../wellknown/findings.ts'
import { agentUri, fingerprintOf, readFull, spkiFingerprintOf } from '../../wellknown/identity.ts'
import { wellKnownPath } from '../../wellknown/rules/endpoints.ts'
import { METADATA_VERIFYING } from '../../wellknown/signing.ts'
import { METADATA } from '../../wellknown/specification.ts'
import { METADATA_READING, type Metadata } from '../../wellknown/subject.ts'
import { TLSA_MISMATCH } from '../dns/findings.ts'
import * as TRUST from './findings.ts'
import { type AtHost, fallbackAgent, judgeTlsa, mismatchOf } from './host.ts'
import { type DiscoveryContext, invitedIn, words } from './levels.ts'
import { type AgentLocation, DiscoveryStopped, isOwn } from './locate.ts'
import type { StepName } from './steps.ts'

export interface FetchedMetadata {
  readonly document: Document
  readonly metadata: Metadata
}

const MEDIA_TYPES: readonly string[] = ['application/vnd.adp+json', 'application/json']

/** @throws {DiscoveryStopped} if it is missing, or belongs to another agent. */
export async function readMetadata(
  task: DiscoveryContext,
  located: AgentLocation,
  host: AtHost,
): Promise<FetchedMetadata> {
  const { account } = task
  const { url } = located
  const outcome = await fetchMetadata(task, located, host)
  if (!outcome.ok)
    return endWith(outcome.diagnostic.code === TLSA_MISMATCH.code ? 'tlsa' : 'metadata', outcome.diagnostic)
  const { bytes, contentType, hops } = outcome.fetched
  const connection = hops.at(-1)?.connection
  judgeTls(task, connection)
  await judgeTlsa(task, located, host, connection)
  account.steps.passed('metadata', `${bytes.length} bytes from ${url}`)
  judgeMediaType(task, contentType)
  const document = readValid(task, bytes, url)
  const metadata = METADATA_READING.subject(document)
  judgeIdentity(task, metadata)
  judgePlace(task, metadata, url)
  await judgeProof(task, metadata)
  return { document, metadata }
}

/** Fetches metadata; fetches a cached one again if its key matches no current record: the agent may have a new key. */
async function fetchMetadata(
  { asked, wire }: DiscoveryContext,
  { url, txt, fallback, isOneOfMany }: AgentLocation,
  host: AtHost,
) {
  const get = (kept: 'used' | 'renewed') =>
    wire.get(url, {
      addresses: host.addresses,
      showsToken: asked.invitation !== undefined || isOwn(new URL(url), asked.domain.ascii),
      checkConnection: (connection) => mismatchOf(host, connection, asked),
      kept,
      isOneOfMany,
      ...(fallback !== undefined && fallbackAgent()),
    })
  const outcome = await get('used')
  if (!outcome.ok || !outcome.fromCache) return outcome
  const named = [invitedIn(asked)?.pubkey, ...txt.texts.records.map(({ fingerprint }) => fingerprint)]
  const keys = named.filter((key) => key !== undefined)
  const text = new TextDecoder().decode(outcome.fetched.bytes)
  return keys.length === 0 || keys.some((key) => text.includes(key)) ? outcome : get('renewed')
}

/** Ends the discovery with an existing finding. */
function endWith(step: StepName, { code, rule, title, spec, severity, detail, source }: Diagnostic): never {
  throw new DiscoveryStopped(step, { code, id: rule, title, section: spec, severity }, detail, source.pointer)
}

function judgeTls({ asked, account }: DiscoveryContext, connection: Connection | undefined): void {
  const { leastTls, loopback } = asked
  if (connection === undefined) {
    account.doesNotShow.push('the TLS version and the certificate, which are hidden here')
    account.warn('tls', 'not checkable here', TRUST.TRUST_TLS_HIDDEN)
    return
  }
  const { tls, isTrusted, address } = connection
  if (tls !== 'TLSv1.3' && tls !== leastTls)
    throw new DiscoveryStopped('tls', TRUST.TRUST_TLS_VERSION, `expected ${leastTls}, found ${quoted(tls)}`)
  if (leastTls !== 'TLSv1.3') account.doesNotShow.push('TLS 1.3, which the draft requires: the caller allowed less')
  if (isTrusted) account.steps.passed('tls', `${tls}, a valid certificate`, { version: tls })
  else if (!loopback || !isLoopback(address)) {
    throw new DiscoveryStopped(
      'tls',
      { ...TRUST.TRUST_SELF_SIGNED, severity: 'error' },
      'the certificate is self-signed',
    )
  } else account.warn('tls', `${tls}, with a self-signed certificate`, TRUST.TRUST_SELF_SIGNED)
}

function judgeMediaType({ account }: DiscoveryContext, contentType: string): void {
  const type = contentType.split(';')[0]!.trim().toLowerCase()
  const found = type === '' ? 'none' : quoted(type)
  if (MEDIA_TYPES.includes(type)) account.steps.passed('media-type', type)
  else account.warn('media-type', `expected ${MEDIA_TYPES[0]}, found ${found}`, TRUST.TRUST_MEDIA_TYPE)
}

/** Applies the requirements of the draft; mere advice does not stop a discovery. */
function readValid({ account }: DiscoveryContext, bytes: Uint8Array, url: string): Document {
  // Nobody publishes metadata in YAML, and its reader is as large as all of this.
  const parsed = open(parse, bytes, { as: METADATA.kind, file: url, format: 'json' })
  const { document } = parsed
  const { diagnostics } = check(METADATA, parsed, METADATA.settings({ ruleset: 'spec' }))
  const fault = diagnostics.find(({ severity }) => severity === 'error')
  if (document === undefined || fault !== undefined) return endWith('valid', fault!)
  account.steps.passed('valid', 'it follows section 6.3')
  return document
}

/** Compares the identity with the domain that was asked for: metadata of another domain proves nothing. */
function judgeIdentity({ asked, account }: DiscoveryContext, { id, domain }: Metadata): void {
  const { ascii } = asked.domain
  if (domain?.value.toLowerCase() !== ascii || id?.value.toLowerCase() !== agentUri(ascii)) {
    const found = `${quoted(id?.value ?? '')} of ${quoted(domain?.value ?? '')}`
    throw new DiscoveryStopped(
      'identity',
      METADATA_OTHER_AGENT,
      `expected ${agentUri(ascii)}, found ${found}`,
      '/identity/domain',
    )
  }
  account.steps.passed('identity', agentUri(ascii))
}

function judgePlace({ asked, account }: DiscoveryContext, { endpoints }: Metadata, url: string): void {
  const own = endpoints.find(({ name }) => name === 'wellKnown')!
  const place = new URL(own.value)
  if (place.href !== url && !isOwn(place, asked.domain.ascii)) {
    const detail = `it comes from ${url}, but says ${quoted(own.value)}`
    throw new DiscoveryStopped('place', TRUST.TRUST_WELL_KNOWN, detail, own.pointer)
  }
  if (place.href === url) account.steps.passed('place', 'at the URL that it names')
  else if (place.host !== new URL(url).host) account.steps.passed('place', `hosted; it says ${quoted(place.href)}`)
  else account.warn('place', `it comes from ${url}, but says ${quoted(own.value)}`, wellKnownPath)
}

async function judgeProof(
  { asked: { subtle }, account }: DiscoveryContext,
  { document, proof, full }: Metadata,
): Promise<void> {
  if (proof === undefined || full === undefined) {
    account.steps.skipped(
      'proof',
      `the metadata has ${proof === undefined ? 'no proof' : 'a proof, but no key to check it with'}`,
    )
    return
  }
  const given = subtle === undefined ? {} : { subtle }
  const { steps } = await verifyParsed(METADATA_VERIFYING, { document, diagnostics: [] }, given)
  const failed = steps.find(({ outcome }) => outcome === 'failed')?.diagnostic
  if (failed !== undefined) endWith('proof', failed)
  account.steps.passed('proof', 'the metadata is signed with its key')
  account.shows.push('the author of the metadata has its key')
}

/** The fingerprint of valid metadata: that of the whole key, if present. */
export const ownFingerprint = ({ full, fingerprint }: Metadata): string =>
  full === undefined ? fingerprint!.value : fingerprintOf(readFull(full.value))

/**
 * Judges the content of metadata that was read, and returns the fingerprint of its key.
 *
 * @throws {DiscoveryStopped} for a key that the DNS does not name, and without a needed chat endpoint.
 */
export async function judgeMetadata(
  task: DiscoveryContext,
  read: FetchedMetadata,
  located: AgentLocation,
): Promise<string> {
  const fingerprint = await judgeKey(task, read, located)
  tellClaims(task, read, located)
  if (task.asked.need === 'peer') judgeChat(task, read)
  return fingerprint
}

/** The key of the metadata must be one of those that the DNS names; during a change there are two. */
async function judgeKey(
  task: DiscoveryContext,
  read: FetchedMetadata,
  { txt, quality }: AgentLocation,
): Promise<string> {
  const { metadata } = read
  const { full, fingerprint } = metadata
  const { account } = task
  const own = ownFingerprint(metadata)
  const invited = invitedIn(task.asked)
  if (invited !== undefined) return (await import('./invited.ts')).judgeInvitedKey(task, read, invited, own)
  const named = txt.texts.records.map((record) => record.fingerprint)
  if (named.length === 0) account.warn('key', `${txt.name} names none`, TRUST.TRUST_NO_FINGERPRINT)
  else if (!named.includes(own)) {
    const isOfSpki = full !== undefined && named.includes(spkiFingerprintOf(readFull(full.value)))
    const detail = `the DNS names ${named.join(' and ')}, but the metadata has ${own}`
    const [kind, more] = isOfSpki ? [TRUST.TRUST_SPKI, ', of the 32 bytes'] : [TRUST.TRUST_FINGERPRINT, '']
    throw new DiscoveryStopped('key', kind, detail + more, (full ?? fingerprint!).pointer)
  } else if (full === undefined) account.warn('key', 'the metadata has a fingerprint, but no key', TRUST.TRUST_NO_KEY)
  else {
    account.steps.passed('key', own, { fingerprint: own })
    account.reach('key-verified', quality, txt.quality)
  }
  return own
}

/** Requires a chat endpoint, and a key to chat with. */
function judgeChat({ account }: DiscoveryContext, { metadata }: FetchedMetadata): void {
  const chat = metadata.endpoints.find(({ name }) => name === 'chat')
  if (chat === undefined)
    throw new DiscoveryStopped('chat', TRUST.TRUST_NO_CHAT, 'the metadata has no chat endpoint', '/endpoints')
  if (!account.has('key-verified') && !account.isKeyInvited)
    throw new DiscoveryStopped('chat', TRUST.TRUST_NO_CHAT, 'the domain has no verified key to chat with')
  account.steps.passed('chat', quoted(chat.value))
}

// Compares an agent's claims about its own DNS (section 6.3.6) with what was seen. Claims raise no level.

/** Adds no step if the metadata makes no claims. */
function tellClaims(
  { asked, account }: DiscoveryContext,
  { metadata }: FetchedMetadata,
  { svcb, quality }: AgentLocation,
): void {
  const dns = objectMember(metadata.root, 'dns')
  const { service } = svcb
  const rows = [
    ['svcbVerified', valueIn(dns, 'svcbVerified'), service === undefined ? 'none' : 'an SVCB record'],
    ['dnssecSigned', valueIn(dns, 'dnssecSigned'), words({ quality, why: undefined })],
    [
      'dane.supported',
      valueIn(dns, 'dane', 'supported'),
      account.has('dane-verified') ? 'the certificate that the DNS names' : 'no certificate that the DNS names',
    ],
  ] as const
  const said = rows
    .filter(([, claim]) => typeof claim === 'boolean')
    .map(([name, claim, seen]) => `${name} ${claim}, seen: ${asked.invitation === undefined ? seen : 'not asked'}`)
  if (said.length > 0) account.steps.skipped('claims', said.join('; '))
}
