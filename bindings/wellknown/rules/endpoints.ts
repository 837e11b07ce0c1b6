import { replaceText } from '../../document/fixes.ts'
import { type Rule, rule } from '../../frame/subject.ts'
import { isUri } from '../../schema/formats.ts'
import { isDomain, isScriptUrl } from '../../text/host-name.ts'
import { quoted } from '../../text/words.ts'
import * as FINDINGS from '../findings.ts'
import { FOREIGN_MEMBER, OLDER_PROTOCOL, PROTOCOL_VERSION } from '../findings.ts'
import { agentUri, faultOfFull, fingerprintOf, PROTOCOL, readFull, readPrefixed } from '../identity.ts'
import type { Endpoint, Metadata } from '../subject.ts'

const isUrl = ({ value }: Endpoint) => isUri(value) && URL.canParse(value)
const wellKnownOf = ({ endpoints }: Pick<Metadata, 'endpoints'>) => endpoints.find(({ name }) => name === 'wellKnown')
const hasScheme = ({ value, scheme }: Endpoint) => value.toLowerCase().startsWith(`${scheme}://`)

export const wellKnownPath = rule<Metadata>(FINDINGS.WELL_KNOWN_PATH, ({ endpoints }, report) => {
  const own = wellKnownOf({ endpoints })
  if (own === undefined || !isUrl(own) || !hasScheme(own)) return
  const { pathname, search, hash } = new URL(own.value)
  const isPlain = /^\/\.well-known\/[A-Za-z0-9._-]+(\/[A-Za-z0-9._-]+)*$/.test(pathname) && search === '' && hash === ''
  if (!isPlain)
    report(
      own.pointer,
      `Expected a path of plain segments below /.well-known/, found ${quoted(pathname + search + hash)}`,
    )
})

export const ENDPOINT_RULES: readonly Rule<Metadata>[] = [
  rule(FINDINGS.ENDPOINT_URL, ({ endpoints }, report) => {
    for (const endpoint of endpoints) {
      if (endpoint.value === '' || (isUrl(endpoint) && !isScriptUrl(endpoint.value))) continue
      report(endpoint.pointer, `${quoted(endpoint.value)} is no URL of a server (RFC 3986)`)
    }
  }),
  rule(FINDINGS.ENDPOINT_SCHEME, ({ endpoints }, report) => {
    for (const endpoint of endpoints) {
      if (!isUrl(endpoint) || hasScheme(endpoint) || isScriptUrl(endpoint.value)) continue
      report(endpoint.pointer, `${endpoint.name} begins with ${endpoint.scheme}://, found ${quoted(endpoint.value)}`)
    }
  }),
  rule(FINDINGS.ENDPOINT_CREDENTIALS, ({ endpoints }, report) => {
    for (const endpoint of endpoints) {
      if (!isUrl(endpoint)) continue
      const { username, password } = new URL(endpoint.value)
      if (username !== '' || password !== '') report(endpoint.pointer, `${endpoint.name} has a user name or a password`)
    }
  }),
  rule(FINDINGS.WELL_KNOWN_ORIGIN, ({ endpoints, domain }, report) => {
    const own = wellKnownOf({ endpoints })
    if (own === undefined || domain === undefined || !isDomain(domain.value) || !isUrl(own) || !hasScheme(own)) return
    const { host } = new URL(own.value)
    if (host !== domain.value.toLowerCase())
      report(own.pointer, `It lies at ${quoted(host)}, not at ${quoted(domain.value)}`)
  }),
  wellKnownPath,
]

const BEFORE = 'ADP/1.0'

/** True for metadata of an unknown protocol version. Metadata without a version gets a finding instead. */
export const isOtherProtocol = ({ protocol }: Metadata): boolean =>
  protocol !== undefined && protocol.value !== '' && protocol.value !== PROTOCOL && protocol.value !== BEFORE

export const protocolVersion = rule<Metadata>(PROTOCOL_VERSION, (metadata, report) => {
  const { protocol } = metadata
  if (isOtherProtocol(metadata)) report(protocol!.pointer, `Expected ${PROTOCOL}, found ${quoted(protocol!.value)}`)
})

/**
 * Root members that identify other kinds of documents. A signature over metadata must never pass for one over such a
 * document.
 */
const FOREIGN = ['invite', 'adp_version', 'agent_card', 'adl_spec'] as const

export const foreignMember = rule<Metadata>(FOREIGN_MEMBER, ({ root }, report) => {
  for (const name of FOREIGN) {
    if (Object.hasOwn(root.value, name))
      report(`/${name}`, `${quoted(name)} tells another kind of document`, { atName: true })
  }
})

/** The value in the draft's own example: "this is a test public key", which is 25 bytes. */
const OF_THE_DRAFT = 'ed25519:dGhpcyBpcyBhIHRlc3QgcHVibGljIGtleQ'
const SHA256_BYTES = 32

export const IDENTITY_RULES: readonly Rule<Metadata>[] = [
  protocolVersion,
  rule(OLDER_PROTOCOL, ({ protocol }, report) => {
    if (protocol?.value === BEFORE)
      report(protocol.pointer, `It is of ${BEFORE}`, { fix: { hint: `write "${PROTOCOL}"` } })
  }),
  foreignMember,
  rule(FINDINGS.DOMAIN_FORM, ({ domain }, report) => {
    if (domain !== undefined && domain.value !== '' && !isDomain(domain.value)) {
      report(domain.pointer, `${quoted(domain.value)} is no domain name`)
    }
  }),
  rule(FINDINGS.AGENT_ID, ({ document, id, domain }, report) => {
    if (id === undefined || domain === undefined || !isDomain(domain.value)) return
    const meant = agentUri(domain.value)
    if (id.value.toLowerCase() === meant.toLowerCase()) return
    report(id.pointer, `Expected ${quoted(meant)}, found ${quoted(id.value)}`, {
      fix: () => replaceText(document, id.pointer, meant),
    })
  }),
  rule(FINDINGS.FINGERPRINT_FORM, ({ fingerprint }, report) => {
    if (fingerprint === undefined || fingerprint.value === '' || fingerprint.value === OF_THE_DRAFT) return
    const length = readPrefixed(fingerprint.value)?.length
    if (length === SHA256_BYTES) return
    const found = length === undefined ? quoted(fingerprint.value) : `${length} bytes`
    report(fingerprint.pointer, `Expected ed25519: and 32 bytes in base64url without padding, found ${found}`)
  }),
  rule(FINDINGS.DRAFT_FINGERPRINT, ({ fingerprint }, report) => {
    if (fingerprint?.value === OF_THE_DRAFT)
      report(fingerprint.pointer, 'It is that of the draft’s example, and of no key')
  }),
  rule(FINDINGS.FULL_KEY, ({ full }, report) => {
    const fault = full && faultOfFull(full.value)
    if (fault !== undefined) report(full!.pointer, `The key cannot be read: ${fault}`)
  }),
  rule(FINDINGS.FINGERPRINT_MATCH, ({ document, fingerprint, full }, report) => {
    if (fingerprint === undefined || full === undefined || faultOfFull(full.value) !== undefined) return
    if (readPrefixed(fingerprint.value)?.length !== SHA256_BYTES) return
    const meant = fingerprintOf(readFull(full.value))
    if (fingerprint.value === meant) return
    const fix = () => replaceText(document, fingerprint.pointer, meant)
    report(fingerprint.pointer, `The key in full has the fingerprint ${meant}`, {
      fix,
      related: [{ pointer: full.pointer, message: 'the key' }],
    })
  }),
  rule(FINDINGS.NO_FULL_KEY, ({ publicKey, full }, report) => {
    if (publicKey !== undefined && full === undefined) report(publicKey.pointer, 'Expected the key in the member full')
  }),
]
