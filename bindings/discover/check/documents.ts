// Checks the other documents of a domain: the A2A card, catalogs, and the keys for signed requests.

import { validate as validateA2a, verify as verifyA2a } from '../../a2a/verbs.ts'
import { parse } from '../../document/parse.ts'
import { readBase64url } from '../../keys/base64.ts'
import { type HeaderSource, type Member, readDictionary, writeMember } from '../../keys/http/sign.ts'
import { verifyMessage } from '../../keys/http/verify.ts'
import { importKey } from '../../keys/import.ts'
import { readAtMost } from '../../net/deadline.ts'
import { isObject, type JsonObject } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import { fingerprintOf } from '../../wellknown/identity.ts'
import * as FINDINGS from './findings.ts'
import { absent, type Judgement, type Survey, stale, unknown, valid, wrong } from './survey.ts'

const CARD = 'agent-card.json'
const CATALOGS = ['ai-catalog.json', 'ard.json', 'api-catalog'] as const
const DIRECTORY = 'http-message-signatures-directory'
const LARGEST_DIRECTORY = 65_536
const MOST_KEYS = 32
/** The detail in which verifyMessage reports an expired signature. */
const OVER = 'its time is over'
/** Caches may keep a directory for this long, so its signature may last as long. */
const LONGEST_SIGNED = 30 * 86_400

const wellKnown = (domain: string, name: string) => `https://${domain}/.well-known/${name}`

/** The line for a missing answer: absent if the server says so. */
const missing = (survey: Survey, urls: readonly string[], detail: string): Judgement =>
  (urls.some(survey.isSilent) ? unknown : absent)(detail)

export async function judgeA2a(survey: Survey): Promise<Judgement> {
  const { domain, host, published, read, now } = survey
  const url = wellKnown(domain, CARD)
  const fetched = await read(url)
  if (fetched === undefined) return missing(survey, [url], `none at ${url}`)
  const { diagnostics } = validateA2a(fetched.bytes, { file: url, format: 'json', ruleset: 'spec', now })
  const fault = diagnostics.find(({ severity }) => severity === 'error')
  if (fault !== undefined)
    return wrong(`${fault.code} ${fault.detail}`, { kind: FINDINGS.CHECK_FORM, hint: `blazon validate ${url}` })
  const card = jsonIn(fetched.bytes) as JsonObject
  const { full, endpoints = [] } = published?.metadata ?? {}
  if (full !== undefined && Array.isArray(card['signatures']) && card['signatures'].length > 0) {
    const { verdict } = await verifyA2a(fetched.bytes, { expect: { keys: [full.value] } })
    if (verdict === 'failed') {
      const hint = 'sign the card with the key of the metadata'
      return wrong('signed with another key, or changed after signing', { kind: FINDINGS.CHECK_KEY, hint })
    }
  }
  const hosts = [domain, host, ...endpoints.map(({ value }) => new URL(value).hostname)]
  const foreign = urlsOf(card).find((text) => URL.canParse(text) && !hosts.includes(new URL(text).hostname))
  if (published !== undefined && foreign !== undefined) {
    const hint = 'use the same host in card and metadata'
    return wrong(`${quoted(foreign)} is at a host that is not in the metadata`, {
      kind: FINDINGS.CHECK_DISAGREES,
      hint,
    })
  }
  return valid(url)
}

/** The URLs in a card of either version. */
function urlsOf(card: JsonObject): string[] {
  const { url, supportedInterfaces, additionalInterfaces } = card as Record<string, unknown>
  const lists = [supportedInterfaces, additionalInterfaces].filter((list) => Array.isArray(list)).flat()
  return [url, ...lists.map((one) => (isObject(one) ? one['url'] : undefined))].filter((one) => typeof one === 'string')
}

export async function judgeCatalogs(survey: Survey): Promise<Judgement> {
  const { domain, read } = survey
  const found = await Promise.all(
    CATALOGS.map(async (name) => ({ name, fetched: await read(wellKnown(domain, name)) })),
  )
  const there = found.filter(({ fetched }) => fetched !== undefined)
  const urls = CATALOGS.map((name) => wellKnown(domain, name))
  if (there.length === 0) return missing(survey, urls, `none of ${CATALOGS.join(', ')}`)
  const bad = there.find(({ fetched }) => !isCatalog(fetched!.bytes))
  if (bad !== undefined) {
    const hint = 'serve an object with entries, or with linkset (RFC 9727)'
    return wrong(`${wellKnown(domain, bad.name)} is not a catalog`, { kind: FINDINGS.CHECK_FORM, hint })
  }
  return valid(there.map(({ name }) => name).join(', '))
}

function isCatalog(bytes: Uint8Array): boolean {
  const value = jsonIn(bytes)
  return isObject(value) && [value['entries'], value['linkset']].some((list) => Array.isArray(list))
}

const jsonIn = (bytes: Uint8Array): unknown => parse(bytes).document?.value

export async function judgeSigning(survey: Survey): Promise<Judgement> {
  const { published } = survey
  const url = wellKnown(survey.domain, DIRECTORY)
  const answer = await directoryAt(survey, url)
  if (typeof answer === 'function') return answer(`none at ${url}`)
  const { body, headers } = answer
  const value = jsonIn(body)
  const keys = isObject(value) && Array.isArray(value['keys']) ? value['keys'].slice(0, MOST_KEYS).filter(isObject) : []
  const read = keys.flatMap((jwk) => {
    const bytes = jwk['kty'] === 'OKP' && typeof jwk['x'] === 'string' ? readBase64url(jwk['x']) : undefined
    return bytes?.length === 32 ? [{ jwk, print: fingerprintOf(bytes) }] : []
  })
  if (read.length === 0) return wrong(`${url} has no Ed25519 keys`, { kind: FINDINGS.CHECK_FORM })
  const own = published && read.find(({ print }) => print === published.fingerprint)
  if (published !== undefined && own === undefined) {
    const hint = `publish the key with the fingerprint ${published.fingerprint} there`
    return wrong(`it has ${read.map(({ print }) => print).join(', ')}`, { kind: FINDINGS.CHECK_KEY, hint })
  }
  const fault = await signatureFault(url, headers, (own ?? read[0]!).jwk, survey)
  if (fault === undefined) return valid(`${read.length} keys, signed`)
  const hint = 'sign each answer with each of its keys'
  if (fault === OVER) return stale(`its signature: ${fault}`, { kind: FINDINGS.CHECK_STALE, hint })
  return wrong(`its signature: ${fault}`, { kind: FINDINGS.CHECK_FORM, hint })
}

/** Fetches the directory directly, because the signature is in the headers. */
async function directoryAt({ options, addressesOf, domain }: Survey, url: string) {
  const { fetch = globalThis.fetch, timeoutMs = 8_000 } = options
  const addresses = await addressesOf(domain)
  if (addresses.length === 0) return unknown
  const guarded = 'seesConnections' in fetch ? { addresses } : {}
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs), ...guarded })
    const body = response.status === 200 ? await readAtMost(response, LARGEST_DIRECTORY) : undefined
    if (body === undefined) await response.body?.cancel().catch(() => {})
    return body === undefined ? absent : { body, headers: response.headers }
  } catch {
    return unknown
  }
}

async function signatureFault(
  url: string,
  headers: Headers,
  jwk: JsonObject,
  { now, options: { subtle } }: Survey,
): Promise<string | undefined> {
  const key = await importKey(jwk as JsonWebKey)
  const request = { method: 'GET', url, headers: new Headers() }
  const verified = await verifyMessage(
    { status: 200, headers: headOf(headers, jwk['kid']), request },
    {
      keyOf: () => key,
      components: ['@authority;req'],
      tag: DIRECTORY,
      now,
      mostSeconds: LONGEST_SIGNED,
      ...(subtle !== undefined && { subtle }),
    },
  )
  return verified.valid ? undefined : verified.fault
}

/** Selects the signature of this key: while keys are replaced, each key signs. */
function headOf(headers: Headers, kid: unknown): HeaderSource {
  const inputs = readDictionary(headers.get('signature-input') ?? '') ?? new Map<string, Member>()
  const own = [...inputs].find(([, { parameters }]) => parameters.get('keyid') === kid)
  if (own === undefined) return headers
  const input = `${own[0]}=${writeMember(own[1])}`
  return { get: (name) => (name === 'signature-input' ? input : headers.get(name)) }
}
