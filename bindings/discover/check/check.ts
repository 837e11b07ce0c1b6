// `checkDns`: compares everything that a domain publishes about its agent, and shows how to fix it.

import { diagnoseNowhere } from '../../document/diagnose.ts'
import type { Diagnostic } from '../../document/types.ts'
import { encodeBase64url, readBase64url } from '../../keys/base64.ts'
import { decodeBase58 } from '../../keys/export.ts'
import { fetchDocument } from '../../net/fetch.ts'
import { sameBytes } from '../../text/bytes.ts'
import { quoted } from '../../text/words.ts'
import { readFull } from '../../wellknown/identity.ts'
import type { Flaw } from '../dns/dnssec/chain.ts'
import * as DNS_FINDINGS from '../dns/findings.ts'
import { SVCB_CAP, SVCB_CAP_SHA256 } from '../dns/findings.ts'
import { Lookup } from '../dns/lookup.ts'
import { readStrings, readTlsa } from '../dns/message.ts'
import { type Name, UNANSWERED } from '../dns/name.ts'
import { listedAgents, worstOf } from '../dns/service.ts'
import { matchingTlsa, uncomparedTlsa, usableTlsa } from '../dns/tlsa.ts'
import type { DnsRecord } from '../publish/records.ts'
import { readAgentDomain } from '../trust/domain.ts'
import { TRUST_SILENT_HOST, TRUST_TLS_HIDDEN, TRUST_TLS_VERSION } from '../trust/findings.ts'
import type { DiscoveryProof } from '../trust/run.ts'
import { readDigest } from '../trust/trace.ts'
import { judgeA2a, judgeCatalogs, judgeSigning } from './documents.ts'
import * as FINDINGS from './findings.ts'
import {
  absent,
  type CheckOptions,
  expectedIn,
  isOfSignatures,
  type Judgement,
  judgeFault,
  judgeSrv,
  judgeSvcb,
  judgeTxt,
  oldOrAttack,
  type Survey,
  stale,
  survey,
  unknown,
  valid,
  writeRecord,
  wrong,
} from './survey.ts'

/** A line of the table. */
export interface CheckedThing extends Required<Pick<Judgement, 'state' | 'detail' | 'add' | 'remove'>> {
  readonly name: ThingName
  readonly title: string
  readonly spec: string
  /** What to find out before changing any record. */
  readonly caution: string | undefined
  /** What else to do, in words. */
  readonly hint: string | undefined
  /** Absent if it is valid or optional. */
  readonly diagnostic: Diagnostic | undefined
}

/** Steps of the discovery whose findings belong to other lines. */
const ELSEWHERE: readonly string[] = ['svcb', 'txt', 'srv', 'tlsa', 'tls', 'key']

const HAVE_IT_ANSWER = 'make each host that the DNS names answer, or remove its record'

/** In the order of the table: the title, the section that requires it, and who judges it. */
const THINGS = {
  svcb: ['SVCB record', 'ADP/1.1 section 4.1', judgeSvcb],
  txt: ['TXT record', 'ADP/1.1 section 5.1', judgeTxt],
  srv: ['SRV record', 'ADP/1.1 section 5.2', judgeSrv],
  'dns-aid': ['DNS-AID', 'ADP/1.1 section 4.1.1', judgeDnsAid],
  aid: ['AID record', 'docs/guide/dns.md', judgeAid],
  a2a: ['A2A card', 'docs/guide/dns.md', judgeA2a],
  catalogs: ['Catalogs', 'docs/guide/dns.md', judgeCatalogs],
  signing: ['Keys of requests', 'docs/guide/dns.md', judgeSigning],
  dnssec: ['DNSSEC', 'ADP/1.1 section 4.3', judgeDnssec],
  tlsa: ['TLSA record', 'ADP/1.1 section 4.2', judgeTlsa],
  tls: ['TLS 1.3 alone', 'ADP/1.1 section 8.2', judgeTls],
} as const

type ThingName = 'adp' | keyof typeof THINGS

export declare namespace checkDns {
  type Options = CheckOptions
  interface Result {
    readonly domain: readAgentDomain.Result
    /** Always all of them, in the same order. */
    readonly things: readonly CheckedThing[]
    /** The proof of the discovery that the check is based on. */
    readonly proof: DiscoveryProof
  }
}

/**
 * Checks everything that a domain publishes about its agent: whether it exists, is valid and current, and agrees on key
 * and URL. Sends the requests of `discover`, asks the domain for other documents, and connects once more to test for
 * TLS 1.2.
 *
 * @example
 * const { things } = await checkDns('alice.example.com', { resolver: udpResolver(), fetch: guardedFetch() })
 * for (const { title, state, detail } of things) console.log(state, title, detail)
 *
 * @throws {TypeError} for an invalid domain, {RangeError} for an invalid option.
 */
export async function checkDns(domain: string, options: CheckOptions): Promise<checkDns.Result> {
  const read = readAgentDomain(domain)
  const seen = await survey(read.ascii, options)
  const others = await Promise.all(
    (Object.keys(THINGS) as (keyof typeof THINGS)[]).map(async (name) => {
      const [title, spec, judge] = THINGS[name]
      return lineOf(read.ascii, name, title, spec, await judge(seen))
    }),
  )
  const adp = lineOf(read.ascii, 'adp', 'Agent by ADP', 'ADP/1.1 section 8.1', judgeDiscovery(seen, others))
  return { domain: read, things: [adp, ...others], proof: seen.discovery.proof }
}

/** One line of the table; with a kind it has a finding. */
function lineOf(domain: string, name: ThingName, title: string, spec: string, judgement: Judgement): CheckedThing {
  const { state, detail, kind, caution, add = [], remove = [], hint } = judgement
  const todo = mendingLines({ caution, add, remove, hint }).join('; ')
  const fix = todo === '' ? undefined : { hint: todo }
  const own = kind && diagnoseNowhere(kind, { detail: `${title}: ${detail}`, fix }, domain)
  const diagnostic = judgement.diagnostic ?? own
  return { name, title, state, detail, spec, caution, add, remove, hint, diagnostic }
}

const zoneLine = ({ name, ttl, type, data }: DnsRecord) => `${name}. ${ttl} IN ${type} ${data}`

/** What to do, one line each. */
export const mendingLines = ({
  caution,
  add,
  remove,
  hint,
}: Pick<CheckedThing, 'caution' | 'add' | 'remove' | 'hint'>): readonly string[] => [
  ...(caution === undefined ? [] : [caution]),
  ...remove.map((record) => `remove ${zoneLine(record)}`),
  ...add.map((record) => `add ${zoneLine(record)}`),
  ...(hint === undefined ? [] : [hint]),
]

/** The result of the discovery in one line, with its finding unless another line has it. */
function judgeDiscovery({ discovery: { agent, proof } }: Survey, others: readonly CheckedThing[]): Judgement {
  const last = proof.steps.at(-1)!
  const reached = proof.levels.map(({ level, quality }) => `${level} (${quality})`).join(', ')
  if (agent !== undefined) {
    const silent = proof.steps.filter(({ diagnostic }) => diagnostic?.code === TRUST_SILENT_HOST.code)
    const detail = [reached || 'none', ...silent.map((step) => step.detail)].join('; ')
    const mending = silent.length === 0 ? {} : { kind: TRUST_SILENT_HOST, hint: HAVE_IT_ANSWER }
    return (proof.verdict === 'verified' ? valid : unknown)(detail, mending)
  }
  const { code = '' } = last.diagnostic ?? {}
  const judge = code === 'DNS-132' ? absent : UNANSWERED.includes(code) ? unknown : wrong
  const isReported = others.some(
    ({ name, diagnostic }) => diagnostic?.severity === 'error' && (name === 'tls' || ELSEWHERE.includes(last.name)),
  )
  return { ...judge(`${last.title}: ${last.detail}`), diagnostic: isReported ? undefined : last.diagnostic }
}

// Checks DNSSEC, the certificate that the DNS names, and the TLS versions that the server accepts.

const SIGN_ANEW =
  'have the zone signed again: its signatures have expired, or the DS in the parent zone is of another key'
const FIND_UNSIGNED =
  'ask each name server of the zone with dig +dnssec: one serves the zone without signatures, or someone before you removes them'
const SIGN = 'have the zone signed, and its DS added to the parent zone'
/** The zone is signed already, so only a setting has to change. */
const RESIGN: Readonly<Record<Flaw['setting'], (zone: Name) => string>> = {
  'opt-out': (zone) =>
    `sign ${zone} again without NSEC3 opt-out: dnssec-signzone without -A, or "nsec3param optout no" in a policy of BIND`,
  iterations: (zone) =>
    `sign ${zone} again without extra NSEC3 iterations (RFC 9276): dnssec-signzone -3 - -H 0, or "nsec3param iterations 0" in a policy of BIND`,
}
/** What an owner can do about answers that signatures do not cover. */
const signingHint = (flaw: Flaw | undefined): string => (flaw === undefined ? SIGN : RESIGN[flaw.setting](flaw.zone))
const LEAST = 'set the minimum version of TLS to 1.3 (docs/guide/edge.md says where)'

function judgeDnssec({ svcb, txt, srv, tlsa }: Survey): Judgement {
  const all = [svcb, txt, srv, tlsa]
  const fault = all.map((heard) => heard.fault).find((one) => one !== undefined && isOfSignatures(one))
  if (fault !== undefined) {
    const { kind, message } = fault
    if (UNANSWERED.includes(kind.code)) return unknown(message, { kind })
    const hint = kind === DNS_FINDINGS.DNSSEC_MISSING || kind === DNS_FINDINGS.DNSSEC_DENIAL ? FIND_UNSIGNED : SIGN_ANEW
    return (kind === DNS_FINDINGS.DNSSEC_NOT_CURRENT ? stale : wrong)(message, { kind, hint })
  }
  const found = all.flatMap((heard) => heard.found ?? [])
  if (found.length === 0) return unknown('no answer')
  const quality = worstOf(found.map((one) => one.quality))
  if (quality === 'checked') return valid('signatures hold up to the anchor')
  const worst = found.filter((one) => one.quality === quality)
  const { why = 'nothing shows it', flaw } = worst.find((one) => one.flaw === undefined) ?? worst[0]!
  if (quality === 'resolver') return valid(`the resolver says so; here: ${why}`)
  if (flaw === undefined) return absent(why, { kind: FINDINGS.CHECK_UNSIGNED, hint: SIGN })
  const detail = `${flaw.zone} is signed, but cannot prove what is absent: ${why}`
  return wrong(detail, { kind: FINDINGS.CHECK_UNSHOWN, hint: signingHint(flaw) })
}

async function judgeTlsa(survey: Survey): Promise<Judgement> {
  const { tlsa, connection, options, host, port } = survey
  const fault = judgeFault(tlsa)
  if (fault !== undefined) return fault
  const { name, records, quality, flaw } = tlsa.found!
  const add = expectedIn(survey, 'TLSA')
  if (records.length === 0) return absent(`${name} has none`, { add })
  const rows = records.map((record) => ({ record, row: readTlsa(record.rdata) }))
  const old = rows.map(({ record }) => writeRecord('TLSA', record))
  const usable = usableTlsa(rows.map(({ row }) => row))
  if (usable.length === 0)
    return wrong('none has known usage, selector and matching type', {
      kind: DNS_FINDINGS.TLSA_UNUSABLE,
      remove: old,
      add,
    })
  if (connection === undefined) {
    const kind = options.fetch?.seesConnections === true ? undefined : DNS_FINDINGS.TLSA_HIDDEN
    return unknown(`no certificate of ${host} port ${port} to compare it with`, { kind })
  }
  const matches = await Promise.all(
    rows.map(
      async ({ row }) => (await matchingTlsa(usableTlsa([row]), connection.certificates, options)) !== undefined,
    ),
  )
  if (!matches.includes(true)) {
    const detail = `the certificate of ${host} port ${port} matches none of the records of ${name}`
    const caution = oldOrAttack('blazon dns records agent.json --cert fullchain.pem writes the right one')
    return wrong(detail, { kind: DNS_FINDINGS.TLSA_MISMATCH, caution, remove: old, add })
  }
  if (quality === 'not shown')
    return unknown('the certificate matches; this only counts in a signed zone', {
      kind: DNS_FINDINGS.TLSA_NOT_SHOWN,
      hint: signingHint(flaw),
    })
  const remove = old.filter((_, i) => !matches[i])
  if (remove.length === 0) return valid(`the certificate of ${host} port ${port} matches`)
  const many = uncomparedTlsa(name, usable)
  if (many !== undefined) return wrong(many, { kind: DNS_FINDINGS.TLSA_MANY, remove })
  const detail = `${remove.length} in addition to that of the current certificate: remove them unless the certificate is being replaced`
  return stale(detail, { kind: FINDINGS.CHECK_LEFT_OVER, remove })
}

/** Connects once more, with TLS 1.2 at most. Such a connection is closed before anything is sent. */
async function judgeTls({ connection, host, port, options, addressesOf }: Survey): Promise<Judgement> {
  const { fetch, timeoutMs = 8_000, signal } = options
  if (fetch?.seesConnections !== true) return unknown('not checkable here', { kind: TRUST_TLS_HIDDEN })
  if (connection === undefined) return unknown(`no connection to ${host} port ${port}`)
  if (connection.tls < 'TLSv1.3') {
    return wrong(`${host} port ${port} speaks ${connection.tls}`, { kind: TRUST_TLS_VERSION, hint: LEAST })
  }
  let taken: string | undefined
  const outcome = await fetchDocument(`https://${host}:${port}/`, '*/*', {
    fetch,
    mostTls: 'TLSv1.2',
    maxRedirects: 0,
    timeoutMs,
    addresses: await addressesOf(host),
    ...(signal !== undefined && { signal }),
    checkConnection({ tls }) {
      taken = tls
      return { kind: FINDINGS.CHECK_OLD_TLS, detail: tls }
    },
  })
  if (taken !== undefined) {
    const detail = `${host} port ${port} still takes ${taken}`
    return wrong(detail, { kind: FINDINGS.CHECK_OLD_TLS, hint: LEAST })
  }
  const isSilent = !outcome.ok && outcome.diagnostic.code === 'DOC-185'
  return isSilent ? unknown(outcome.diagnostic.detail) : valid(`${connection.tls}, and no older version`)
}

// Checks the DNS-AID keys of SVCB records, and the AID record.

async function judgeDnsAid(survey: Survey): Promise<Judgement> {
  const { domain, svcb, located, published, capSha256, options } = survey
  const service = located?.svcb.service
  if (svcb.fault !== undefined) return unknown('no readable SVCB record')
  if (service === undefined) return absent('no SVCB record')
  const remove = svcb.found!.records.map((record) => writeRecord('SVCB', record))
  const mend = { remove, add: expectedIn(survey, 'SVCB') }
  const { bap, cap, target } = service
  if (target.includes('_')) {
    const hint = 'point to a host without underscores: no certificate can name another'
    return wrong(`the target ${target} has an underscore`, { kind: FINDINGS.CHECK_FORM, hint })
  }
  const hasChat = published?.metadata.endpoints.some(({ name }) => name === 'chat') === true
  if (hasChat && bap === undefined) return absent('bap: none', { kind: FINDINGS.CHECK_MISSING, ...mend })
  const digest = service.capSha256 === undefined ? undefined : readDigest(service.capSha256)
  if (service.capSha256 !== undefined && digest === undefined)
    return wrong(`cap-sha256 is ${quoted(service.capSha256)}`, { kind: FINDINGS.CHECK_FORM, ...mend })
  if (digest !== undefined && capSha256 === undefined)
    return unknown(`no descriptor at ${quoted(cap ?? '')}`, { kind: SVCB_CAP })
  if (digest !== undefined && !sameBytes(digest, capSha256!)) {
    const detail = `cap-sha256 is of another descriptor: the current one has ${encodeBase64url(capSha256!)}`
    return stale(detail, { kind: SVCB_CAP_SHA256, caution: oldOrAttack('sha256sum of the descriptor'), ...mend })
  }
  if (cap !== undefined && digest === undefined) return absent('cap without cap-sha256', { kind: SVCB_CAP, ...mend })
  const listed = await listedAgents(new Lookup(options), domain).catch(() => undefined)
  const index = listed?.index === undefined ? [] : [`index at ${listed.index}`]
  const own = [`bap ${bap ?? 'none'}`, `cap ${cap ?? 'none'}`, `${listed?.agents.length ?? 0} agents listed`, ...index]
  return (bap === undefined && cap === undefined ? absent : valid)(own.join(', '))
}

interface Aid {
  readonly uri: string | undefined
  readonly protocol: string | undefined
  readonly key: string | undefined
}

const BEGINNING = /^\s*v(?:ersion)?\s*=\s*aid\d/i
const LONGEST = 4_096

/** Reads members by their short or long names, in any case (AID sections 2 and 3). */
function readAid(text: string): Aid {
  const members = new Map(
    text.split(';').map((part) => {
      const at = part.indexOf('=')
      return [part.slice(0, at).trim().toLowerCase(), part.slice(at + 1).trim()]
    }),
  )
  const member = (...names: string[]) => names.map((name) => members.get(name)).find((one) => one !== undefined)
  return { uri: member('u', 'uri'), protocol: member('p', 'proto'), key: member('k', 'pka') }
}

/** True for a key of the first version. One of the second may begin with the same letter, but has 43 digits. */
const isMultibase = (key: string): boolean => key.startsWith('z') && key.length > 43

/** Reads the 32 bytes of an Ed25519 key: multibase in the first version, base64url in the second. */
function readAidKey(text: string): Uint8Array | undefined {
  try {
    const bytes = isMultibase(text) ? decodeBase58(text.slice(1)) : readBase64url(text)
    return bytes?.length === 32 ? bytes : undefined
  } catch {
    return undefined
  }
}

function judgeAid(survey: Survey): Judgement {
  const { domain, txt, published, host } = survey
  const fault = judgeFault(txt)
  // The answer is also that of ADP's TXT record, whose line has the finding.
  if (fault !== undefined) return { ...fault, kind: undefined }
  const decoder = new TextDecoder()
  const texts = txt.found!.records.map((record) => {
    const text = readStrings(record.rdata)
      .map((part) => decoder.decode(part))
      .join('')
    return { record, text: text.slice(0, LONGEST) }
  })
  const own = texts.filter(({ text }) => BEGINNING.test(text))
  const [first] = own
  if (first === undefined) return absent('none at that name')
  const old = own.map(({ record }) => writeRecord('TXT', record))
  if (own.length > 1) {
    return wrong('several, so readers use none', { kind: FINDINGS.CHECK_FORM, remove: old.slice(1) })
  }
  const { uri, protocol, key } = readAid(first.text)
  const url = uri !== undefined && URL.canParse(uri) ? new URL(uri) : undefined
  if (url === undefined || protocol === undefined) {
    const hint = 'write u (the URL) and p (its protocol)'
    return wrong(`${quoted(first.text)}: no u or no p`, { kind: FINDINGS.CHECK_FORM, remove: old, hint })
  }
  const ours = published?.metadata.full && readFull(published.metadata.full.value)
  const named = key === undefined ? undefined : readAidKey(key)
  if (key !== undefined && ours !== undefined && (named === undefined || !sameBytes(named, ours))) {
    const mended = encodeBase64url(ours)
    const [record] = old
    // Keys in multibase (version 1), and keys split between two strings, are left to the reader.
    const canMend = !isMultibase(key) && record!.data.includes(key)
    return wrong('k is not the key of the metadata', {
      kind: FINDINGS.CHECK_KEY,
      caution: oldOrAttack('agent.json has the key'),
      remove: old,
      ...(canMend
        ? { add: [{ ...record!, data: record!.data.replace(key, mended) }] }
        : { hint: `replace it by k=${mended}` }),
    })
  }
  const hosts = [domain, host, ...(published?.metadata.endpoints ?? []).map(({ value }) => new URL(value).hostname)]
  if (published !== undefined && !hosts.includes(url.hostname)) {
    const detail = `${url.href} is at a host that neither the metadata nor the DNS names`
    return wrong(detail, {
      kind: FINDINGS.CHECK_DISAGREES,
      remove: old,
      hint: `say where ${domain} is served`,
    })
  }
  return valid(`${protocol} at ${url.href}${key === undefined ? '' : ', with the same key'}`)
}
