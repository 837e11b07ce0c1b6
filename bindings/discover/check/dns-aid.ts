// Checks the DNS-AID keys of SVCB records, and the AID record.
import { encodeBase64url, readBase64url } from '../../keys/base64.ts'
import { decodeBase58 } from '../../keys/export.ts'
import { sameBytes } from '../../text/bytes.ts'
import { quoted } from '../../text/words.ts'
import { readFull } from '../../wellknown/identity.ts'
import { SVCB_CAP, SVCB_CAP_SHA256 } from '../dns/findings.ts'
import { listedAgents } from '../dns/index-names.ts'
import { Lookup } from '../dns/lookup.ts'
import { readStrings } from '../dns/rdata.ts'
import { readDigest } from '../trust/digest.ts'
import * as FINDINGS from './findings.ts'
import { expectedOf, faultThing, writtenRecord } from './records.ts'
import type { Survey } from './survey.ts'
import { type CheckedThing, oldOrAttack, thing } from './things.ts'

export async function dnsAidThing(survey: Survey): Promise<CheckedThing> {
  const { domain, svcb, located, published, capSha256, options } = survey
  const service = located?.svcb.service
  if (svcb.fault !== undefined) return thing(domain, 'dns-aid', 'unknown', 'no readable SVCB record')
  if (service === undefined) return thing(domain, 'dns-aid', 'absent', 'no SVCB record')
  const remove = svcb.found!.records.map((record) => writtenRecord('SVCB', record))
  const mend = { remove, add: expectedOf(survey, 'SVCB') }
  const { bap, cap, target } = service
  if (target.includes('_')) {
    const hint = 'point to a host without underscores: no certificate can name another'
    return thing(domain, 'dns-aid', 'wrong', `the target ${target} has an underscore`, {
      kind: FINDINGS.CHECK_FORM,
      hint,
    })
  }
  const hasChat = published?.metadata.endpoints.some(({ name }) => name === 'chat') === true
  if (hasChat && bap === undefined)
    return thing(domain, 'dns-aid', 'absent', 'bap: none', { kind: FINDINGS.CHECK_MISSING, ...mend })
  const digest = service.capSha256 === undefined ? undefined : readDigest(service.capSha256)
  if (service.capSha256 !== undefined && digest === undefined)
    return thing(domain, 'dns-aid', 'wrong', `cap-sha256 is ${quoted(service.capSha256)}`, {
      kind: FINDINGS.CHECK_FORM,
      ...mend,
    })
  if (digest !== undefined && capSha256 === undefined)
    return thing(domain, 'dns-aid', 'unknown', `no descriptor at ${quoted(cap ?? '')}`, { kind: SVCB_CAP })
  if (digest !== undefined && !sameBytes(digest, capSha256!)) {
    const detail = `cap-sha256 is of another descriptor: the current one has ${encodeBase64url(capSha256!)}`
    return thing(domain, 'dns-aid', 'stale', detail, {
      kind: SVCB_CAP_SHA256,
      caution: oldOrAttack('sha256sum of the descriptor'),
      ...mend,
    })
  }
  if (cap !== undefined && digest === undefined)
    return thing(domain, 'dns-aid', 'absent', 'cap without cap-sha256', { kind: SVCB_CAP, ...mend })
  const listed = await listedAgents(new Lookup(options), domain).catch(() => undefined)
  const index = listed?.index === undefined ? [] : [`index at ${listed.index}`]
  const own = [`bap ${bap ?? 'none'}`, `cap ${cap ?? 'none'}`, `${listed?.agents.length ?? 0} agents listed`, ...index]
  return thing(domain, 'dns-aid', bap === undefined && cap === undefined ? 'absent' : 'valid', own.join(', '))
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

export function aidThing(survey: Survey): CheckedThing {
  const { domain, txt, published, host } = survey
  const fault = faultThing(survey, 'aid', txt)
  // The answer is also that of ADP's TXT record, whose line has the finding.
  if (fault !== undefined) return { ...fault, diagnostic: undefined }
  const decoder = new TextDecoder()
  const texts = txt.found!.records.map((record) => {
    const text = readStrings(record.rdata)
      .map((part) => decoder.decode(part))
      .join('')
    return { record, text: text.slice(0, LONGEST) }
  })
  const own = texts.filter(({ text }) => BEGINNING.test(text))
  const [first] = own
  if (first === undefined) return thing(domain, 'aid', 'absent', 'none at that name')
  const old = own.map(({ record }) => writtenRecord('TXT', record))
  if (own.length > 1) {
    return thing(domain, 'aid', 'wrong', 'several, so readers use none', {
      kind: FINDINGS.CHECK_FORM,
      remove: old.slice(1),
    })
  }
  const { uri, protocol, key } = readAid(first.text)
  const url = uri !== undefined && URL.canParse(uri) ? new URL(uri) : undefined
  if (url === undefined || protocol === undefined) {
    const hint = 'write u (the URL) and p (its protocol)'
    return thing(domain, 'aid', 'wrong', `${quoted(first.text)}: no u or no p`, {
      kind: FINDINGS.CHECK_FORM,
      remove: old,
      hint,
    })
  }
  const ours = published?.metadata.full && readFull(published.metadata.full.value)
  const named = key === undefined ? undefined : readAidKey(key)
  if (key !== undefined && ours !== undefined && (named === undefined || !sameBytes(named, ours))) {
    const mended = encodeBase64url(ours)
    const [record] = old
    // Keys in multibase (version 1), and keys split between two strings, are left to the reader.
    const canMend = !isMultibase(key) && record!.data.includes(key)
    return thing(domain, 'aid', 'wrong', 'k is not the key of the metadata', {
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
    return thing(domain, 'aid', 'wrong', detail, {
      kind: FINDINGS.CHECK_DISAGREES,
      remove: old,
      hint: `say where ${domain} is served`,
    })
  }
  return thing(domain, 'aid', 'valid', `${protocol} at ${url.href}${key === undefined ? '' : ', with the same key'}`)
}
