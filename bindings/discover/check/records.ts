// Compares the records of ADP with the published metadata.

import { toHex } from '../../text/bytes.ts'
import { readAdpTxts } from '../dns/adp-txt.ts'
import type { DnsError } from '../dns/error.ts'
import { UNANSWERED } from '../dns/error.ts'
import { TXT_FORM } from '../dns/findings.ts'
import type { ResourceRecord } from '../dns/message.ts'
import { ROOT } from '../dns/name.ts'
import { readSrv, readStrings, readTlsa } from '../dns/rdata.ts'
import { readSvcb } from '../dns/svcb.ts'
import { quoted, svcbToText } from '../dns/zone-text.ts'
import type { DnsRecord } from '../publish/records.ts'
import { TRUST_FINGERPRINT, TRUST_NO_FINGERPRINT } from '../trust/findings.ts'
import { CHECK_DISAGREES, CHECK_LEFT_OVER, CHECK_MISSING } from './findings.ts'
import type { JudgedAnswer, Survey } from './survey.ts'
import { type CheckedThing, oldOrAttack, type ThingName, thing } from './things.ts'

/** Codes of DNSSEC, which has its own line. */
const OF_SIGNATURES = /^DNS-11\d$/

export const isOfSignatures = ({ kind }: DnsError): boolean => OF_SIGNATURES.test(kind.code)

/** Writes a record as in a zone file. */
export function writtenRecord(type: DnsRecord['type'], { name, ttl, rdata }: ResourceRecord): DnsRecord {
  return { name, ttl, type, data: WRITERS[type](rdata) }
}

const WRITERS: Readonly<Record<DnsRecord['type'], (rdata: Uint8Array) => string>> = {
  SVCB: (rdata) => svcbToText(readSvcb(rdata)),
  TXT: (rdata) => readStrings(rdata).map(quoted).join(' '),
  SRV: (rdata) => {
    const { priority, weight, port, target } = readSrv(rdata)
    return `${priority} ${weight} ${port} ${target === ROOT ? ROOT : `${target}.`}`
  },
  TLSA: (rdata) => {
    const { usage, selector, matchingType, data } = readTlsa(rdata)
    return `${usage} ${selector} ${matchingType} ${toHex(data)}`
  },
}

const written = (type: DnsRecord['type'], records: readonly ResourceRecord[]): readonly DnsRecord[] =>
  records.map((record) => writtenRecord(type, record))

function attempt<Made>(make: () => Made): Made | undefined {
  try {
    return make()
  } catch {
    return undefined
  }
}

export const expectedOf = ({ expected }: Survey, type: DnsRecord['type']): readonly DnsRecord[] =>
  expected.filter((record) => record.type === type)

/**
 * The line for an answer that may not be used. DNSSEC faults have their own line, so that each fault is one finding.
 */
export function faultThing({ domain }: Survey, name: ThingName, { fault }: JudgedAnswer): CheckedThing | undefined {
  if (fault === undefined) return undefined
  if (isOfSignatures(fault)) return thing(domain, name, 'unknown', 'not believed: see DNSSEC')
  return thing(domain, name, UNANSWERED.includes(fault.kind.code) ? 'unknown' : 'wrong', fault.message, {
    kind: fault.kind,
  })
}

export function svcbThing(survey: Survey): CheckedThing {
  const { domain, svcb, located, published } = survey
  const fault = faultThing(survey, 'svcb', svcb)
  if (fault !== undefined) return fault
  const { records } = svcb.found!
  const add = expectedOf(survey, 'SVCB')
  if (records.length === 0) {
    const kind = published === undefined ? {} : { kind: CHECK_MISSING }
    return thing(domain, 'svcb', 'absent', `${domain} has none`, { ...kind, add })
  }
  const service = located?.svcb.service
  if (service === undefined) return judgedElsewhere(survey, 'svcb', ['svcb'])
  const says = `https://${service.target}:${service.port}/.well-known/${service.wellKnown}`
  if (published === undefined) return thing(domain, 'svcb', 'unknown', `${says}: no metadata to compare it with`)
  if (isSamePlace(survey, new URL(says))) return thing(domain, 'svcb', 'valid', says)
  const detail = `it leads to ${says}, the metadata says ${published.wellKnown.href}`
  const remove = svcb.found!.aliases.length > 0 ? [] : written('SVCB', records)
  return thing(domain, 'svcb', 'wrong', detail, { kind: CHECK_DISAGREES, remove, add })
}

/** True for hosted metadata: it names the agent's own domain, but is at another host. */
function isSamePlace({ domain, published }: Survey, place: URL): boolean {
  const { wellKnown } = published!
  return place.href === wellKnown.href || (wellKnown.hostname === domain && place.hostname !== domain)
}

/** The line for something that only the discovery could judge, with its finding. */
function judgedElsewhere({ domain, discovery }: Survey, name: ThingName, steps: readonly string[]): CheckedThing {
  const step = discovery.proof.steps.findLast((one) => steps.includes(one.name))
  const said = thing(domain, name, step?.outcome === 'failed' ? 'wrong' : 'unknown', step?.detail ?? 'not reached')
  return { ...said, diagnostic: step?.diagnostic }
}

export function txtThing(survey: Survey): CheckedThing {
  const { domain, txt, published } = survey
  const fault = faultThing(survey, 'txt', txt)
  if (fault !== undefined) return fault
  const { name, records } = txt.found!
  const add = expectedOf(survey, 'TXT')
  const own = records.flatMap((record) => {
    const read = attempt(() => readAdpTxts([readStrings(record.rdata)], name).records)
    return read === undefined || read.length > 0 ? [{ record, read: read?.[0] }] : []
  })
  const old = own.map(({ record }) => writtenRecord('TXT', record))
  if (own.length === 0) {
    const kind = published === undefined ? {} : { kind: TRUST_NO_FINGERPRINT }
    return thing(domain, 'txt', 'absent', `${name} has no ADP record`, { ...kind, add })
  }
  const broken = own.findIndex(({ read }) => read === undefined)
  if (broken >= 0) {
    const detail = `${name} has an unreadable ADP record`
    return thing(domain, 'txt', 'wrong', detail, { kind: TXT_FORM, remove: [old[broken]!], add })
  }
  if (published === undefined) return thing(domain, 'txt', 'unknown', `${name}: no metadata to compare it with`)
  const { fingerprint, wellKnown } = published
  const isOwn = own.map(({ read }) => read!.fingerprint === fingerprint)
  if (!isOwn.includes(true)) {
    const detail = `it names ${own.map(({ read }) => read!.fingerprint).join(' and ')}, the metadata has ${fingerprint}`
    const caution = oldOrAttack('blazon dns records agent.json writes the right one')
    return thing(domain, 'txt', 'wrong', detail, { kind: TRUST_FINGERPRINT, caution, remove: old, add })
  }
  const other = own.findIndex(({ read }, i) => isOwn[i] && read!.wellKnown.href !== wellKnown.href)
  if (other >= 0) {
    const detail = `it says ${own[other]!.read!.wellKnown.href}, the metadata ${wellKnown.href}`
    return thing(domain, 'txt', 'wrong', detail, { kind: CHECK_DISAGREES, remove: [old[other]!], add })
  }
  const remove = old.filter((_, i) => !isOwn[i])
  if (remove.length === 0) return thing(domain, 'txt', 'valid', fingerprint)
  const detail = `${remove.length} in addition to that of the current key, ${fingerprint}: remove them unless the key is being replaced`
  return thing(domain, 'txt', 'stale', detail, { kind: CHECK_LEFT_OVER, remove })
}

export function srvThing(survey: Survey): CheckedThing {
  const { domain, srv, located, published, host, port } = survey
  const fault = faultThing(survey, 'srv', srv)
  if (fault !== undefined) return fault
  const { name, records } = srv.found!
  const add = expectedOf(survey, 'SRV')
  if (records.length === 0) return thing(domain, 'srv', 'absent', `${name} has none`, { add })
  const read = records.map(({ rdata }) => readSrv(rdata))
  const old = written('SRV', records)
  const says = read.map((row) => `${row.target} port ${row.port}`).join(', ')
  if (located?.svcb.service === undefined || published === undefined) return thing(domain, 'srv', 'valid', says)
  const isSame = read.some((row) => row.target === host && row.port === port)
  if (isSame) return thing(domain, 'srv', 'valid', says)
  const detail = `it says ${says}, the SVCB record ${host} port ${port}`
  return thing(domain, 'srv', 'wrong', detail, { kind: CHECK_DISAGREES, remove: old, add })
}
