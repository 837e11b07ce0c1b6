// Checks DNSSEC, the certificate that the DNS names, and the TLS versions that the server accepts.

import { fetchDocument } from '../../net/fetch.ts'
import type { Flaw } from '../dns/dnssec/chain.ts'
import { UNANSWERED } from '../dns/error.ts'
import * as FINDINGS from '../dns/findings.ts'
import { worstOf } from '../dns/index-names.ts'
import type { Name } from '../dns/name.ts'
import { readTlsa } from '../dns/rdata.ts'
import { matchingTlsa, uncomparedTlsa, usableTlsa } from '../dns/tlsa.ts'
import { TRUST_TLS_HIDDEN, TRUST_TLS_VERSION } from '../trust/findings.ts'
import * as CHECK_FINDINGS from './findings.ts'
import { expectedOf, faultThing, isOfSignatures, writtenRecord } from './records.ts'
import type { Survey } from './survey.ts'
import { type CheckedThing, oldOrAttack, thing } from './things.ts'

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

export function dnssecThing({ domain, svcb, txt, srv, tlsa }: Survey): CheckedThing {
  const all = [svcb, txt, srv, tlsa]
  const fault = all.map((heard) => heard.fault).find((one) => one !== undefined && isOfSignatures(one))
  if (fault !== undefined) {
    const { kind, message } = fault
    if (UNANSWERED.includes(kind.code)) return thing(domain, 'dnssec', 'unknown', message, { kind })
    const state = kind === FINDINGS.DNSSEC_NOT_CURRENT ? 'stale' : 'wrong'
    const hint = kind === FINDINGS.DNSSEC_MISSING || kind === FINDINGS.DNSSEC_DENIAL ? FIND_UNSIGNED : SIGN_ANEW
    return thing(domain, 'dnssec', state, message, { kind, hint })
  }
  const found = all.flatMap((heard) => heard.found ?? [])
  if (found.length === 0) return thing(domain, 'dnssec', 'unknown', 'no answer')
  const quality = worstOf(found.map((one) => one.quality))
  if (quality === 'checked') return thing(domain, 'dnssec', 'valid', 'signatures hold up to the anchor')
  const worst = found.filter((one) => one.quality === quality)
  const { why = 'nothing shows it', flaw } = worst.find((one) => one.flaw === undefined) ?? worst[0]!
  if (quality === 'resolver') return thing(domain, 'dnssec', 'valid', `the resolver says so; here: ${why}`)
  if (flaw === undefined)
    return thing(domain, 'dnssec', 'absent', why, { kind: CHECK_FINDINGS.CHECK_UNSIGNED, hint: SIGN })
  const detail = `${flaw.zone} is signed, but cannot prove what is absent: ${why}`
  return thing(domain, 'dnssec', 'wrong', detail, { kind: CHECK_FINDINGS.CHECK_UNSHOWN, hint: signingHint(flaw) })
}

export async function tlsaThing(survey: Survey): Promise<CheckedThing> {
  const { domain, tlsa, connection, options, host, port } = survey
  const fault = faultThing(survey, 'tlsa', tlsa)
  if (fault !== undefined) return fault
  const { name, records, quality, flaw } = tlsa.found!
  const add = expectedOf(survey, 'TLSA')
  if (records.length === 0) return thing(domain, 'tlsa', 'absent', `${name} has none`, { add })
  const rows = records.map((record) => ({ record, row: readTlsa(record.rdata) }))
  const old = rows.map(({ record }) => writtenRecord('TLSA', record))
  const usable = usableTlsa(rows.map(({ row }) => row))
  if (usable.length === 0)
    return thing(domain, 'tlsa', 'wrong', 'none has known usage, selector and matching type', {
      kind: FINDINGS.TLSA_UNUSABLE,
      remove: old,
      add,
    })
  if (connection === undefined) {
    const kind = options.fetch?.seesConnections === true ? {} : { kind: FINDINGS.TLSA_HIDDEN }
    return thing(domain, 'tlsa', 'unknown', `no certificate of ${host} port ${port} to compare it with`, kind)
  }
  const matches = await Promise.all(
    rows.map(
      async ({ row }) => (await matchingTlsa(usableTlsa([row]), connection.certificates, options)) !== undefined,
    ),
  )
  if (!matches.includes(true)) {
    const detail = `the certificate of ${host} port ${port} matches none of the records of ${name}`
    const caution = oldOrAttack('blazon dns records agent.json --cert fullchain.pem writes the right one')
    return thing(domain, 'tlsa', 'wrong', detail, { kind: FINDINGS.TLSA_MISMATCH, caution, remove: old, add })
  }
  if (quality === 'not shown')
    return thing(domain, 'tlsa', 'unknown', 'the certificate matches; this only counts in a signed zone', {
      kind: FINDINGS.TLSA_NOT_SHOWN,
      hint: signingHint(flaw),
    })
  const remove = old.filter((_, i) => !matches[i])
  if (remove.length === 0) return thing(domain, 'tlsa', 'valid', `the certificate of ${host} port ${port} matches`)
  const many = uncomparedTlsa(name, usable)
  if (many !== undefined) return thing(domain, 'tlsa', 'wrong', many, { kind: FINDINGS.TLSA_MANY, remove })
  const detail = `${remove.length} in addition to that of the current certificate: remove them unless the certificate is being replaced`
  return thing(domain, 'tlsa', 'stale', detail, { kind: CHECK_FINDINGS.CHECK_LEFT_OVER, remove })
}

/** Connects once more, with TLS 1.2 at most. Such a connection is closed before anything is sent. */
export async function tlsThing({
  domain,
  connection,
  host,
  port,
  options,
  addressesOf,
}: Survey): Promise<CheckedThing> {
  const { fetch, timeoutMs = 8_000, signal } = options
  if (fetch?.seesConnections !== true)
    return thing(domain, 'tls', 'unknown', 'not checkable here', { kind: TRUST_TLS_HIDDEN })
  if (connection === undefined) return thing(domain, 'tls', 'unknown', `no connection to ${host} port ${port}`)
  if (connection.tls < 'TLSv1.3') {
    return thing(domain, 'tls', 'wrong', `${host} port ${port} speaks ${connection.tls}`, {
      kind: TRUST_TLS_VERSION,
      hint: LEAST,
    })
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
      return { kind: CHECK_FINDINGS.CHECK_OLD_TLS, detail: tls }
    },
  })
  if (taken !== undefined) {
    const detail = `${host} port ${port} still takes ${taken}`
    return thing(domain, 'tls', 'wrong', detail, { kind: CHECK_FINDINGS.CHECK_OLD_TLS, hint: LEAST })
  }
  const isSilent = !outcome.ok && outcome.diagnostic.code === 'DOC-185'
  return isSilent
    ? thing(domain, 'tls', 'unknown', outcome.diagnostic.detail)
    : thing(domain, 'tls', 'valid', `${connection.tls}, and no older version`)
}
