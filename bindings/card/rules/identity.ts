// Rules for what a card is and whose: its id, did, seq, signature, metadata and extensions; for empty members and the
// meaning of empty tools and endpoints; for placeholder texts of the template.
import { removeMember, replaceText } from '../../document/fixes.ts'
import { placeholderRule } from '../../frame/placeholders.ts'
import { type Report, type Rule, rule } from '../../frame/subject.ts'
import { isDid } from '../../keys/did.ts'
import { isSemver } from '../../schema/formats.ts'
import { timeOf } from '../../schema/times.ts'
import { escapeToken, isObject, type PlacedObject, textMember, valueIn } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import { isKeyName, readAgentUri } from '../agent-uri.ts'
import * as FINDINGS from '../findings.ts'
import { type Card, isRevocation } from '../subject.ts'

/** Completes a version: `v1.2` becomes 1.2.0. */
function semverOf(text: string): string | undefined {
  const [, number] = /^v?(\d{1,9}(?:\.\d{1,9}){0,2})$/i.exec(text) ?? []
  if (number === undefined) return undefined
  const meant = [...number.split('.'), '0', '0'].slice(0, 3).join('.')
  return isSemver(meant) ? meant : undefined
}

const BEYOND = 2 ** 64

const NAMESPACE = /^[a-z][a-z0-9_-]*(?:\.[a-z0-9][a-z0-9_-]*)*$/

const NAMES = ['created_at', 'updated_at'] as const

/** Allows for clocks that differ. */
const TOLERANCE_MS = 5 * 60_000

function timeIn({ metadata }: Card, name: (typeof NAMES)[number]): number | undefined {
  const text = textMember(metadata, name)
  return text && timeOf(text.value)
}

const LISTS = ['skills', 'tools', 'endpoints', 'supported_languages']

/** True when a member of the right type is empty. */
function isEmpty(name: string, value: unknown): boolean {
  if (name === 'description') return value === ''
  if (LISTS.includes(name)) return Array.isArray(value) && value.length === 0
  return isObject(value) && Object.keys(value).length === 0
}

/**
 * The members of the root that mean the same empty as absent. This is not so for `methods` of endpoints and for
 * schemas.
 */
const ROOT = ['description', 'skills', 'tools', 'endpoints', 'constraints', 'metadata', 'extensions']

export const IDENTITY_RULES: readonly Rule<Card>[] = [
  rule(FINDINGS.AGENT_ID, ({ id }, report) => {
    // The schema reports ids with another beginning.
    if (id === undefined || !id.value.startsWith('agent://')) return
    const read = readAgentUri(id.value)
    if ('detail' in read) report(id.pointer, `${quoted(id.value)} is not an agent:// URI: ${read.detail}`)
  }),
  rule(FINDINGS.SEQ, ({ root, seq: read }, report) => {
    const value = valueIn(root, 'seq')
    // Only numbers that a double rounds to a uint64. The schema reports all others.
    if (read !== undefined || !Number.isInteger(value) || (value as number) < 0 || (value as number) > BEYOND) return
    report('/seq', "Member 'seq' must be an integer from 0 to 18446744073709551615")
  }),
  rule(FINDINGS.VERSION, ({ document, version }, report) => {
    if (version === undefined || isSemver(version.value)) return
    const meant = semverOf(version.value)
    const fix = meant === undefined ? {} : { fix: () => replaceText(document, version.pointer, meant) }
    report(version.pointer, `${quoted(version.value)} is not a semantic version such as 1.2.0`, fix)
  }),
  rule(FINDINGS.DID_SYNTAX, ({ did }, report) => {
    if (did === undefined || isDid(did.value)) return
    report(did.pointer, `${quoted(did.value)} is not a DID: expected did:method:identifier`)
  }),
  rule(FINDINGS.EXTENSION_NAMESPACE, ({ extensions }, report) => {
    for (const name of Object.keys(extensions?.value ?? {})) {
      if (NAMESPACE.test(name)) continue
      const fix = { hint: 'a domain backwards, such as com.example.data, or a well-known short name' }
      report(`${extensions!.pointer}/${escapeToken(name)}`, `${quoted(name)} is not a namespace that others avoid`, {
        atName: true,
        fix,
      })
    }
  }),
  rule(FINDINGS.NO_CREATED_AT, ({ root, metadata }, report) => {
    // The schema reports a value that is not an object.
    if (metadata === undefined && Object.hasOwn(root.value, 'metadata')) return
    if (metadata !== undefined && Object.hasOwn(metadata.value, 'created_at')) return
    report(metadata?.pointer ?? '', "'created_at' of 'metadata' is missing: a card should say when it was made")
  }),
  rule(FINDINGS.TIME_ORDER, (card, report) => {
    const created = timeIn(card, 'created_at')
    const updated = timeIn(card, 'updated_at')
    if (created === undefined || updated === undefined || updated >= created) return
    const related = [{ pointer: '/metadata/created_at', message: 'created here' }]
    report('/metadata/updated_at', "'updated_at' lies before 'created_at'", { related })
  }),
  rule(FINDINGS.FUTURE_TIME, (card, report, { now }) => {
    for (const name of NAMES) {
      const time = timeIn(card, name)
      if (time === undefined || time <= now.getTime() + TOLERANCE_MS) continue
      report(`/metadata/${name}`, `'${name}' is ${String(valueIn(card.metadata, name)).slice(0, 40)}, after now`)
    }
  }),
  rule(FINDINGS.NO_SEQ, ({ root }, report) => {
    if (Object.hasOwn(root.value, 'seq')) return
    report('', "Member 'seq' is missing: nobody can tell which card is newer", {
      fix: { hint: 'begin with 1' },
    })
  }),
  rule(FINDINGS.NO_SIGNATURE, ({ root }, report) => {
    if (Object.hasOwn(root.value, 'signature')) return
    const fix = { hint: 'sign it when it is done: blazon sign' }
    report('', 'The card is not signed: most directories refuse it', { fix })
  }),
  rule(FINDINGS.REVOCATION, (card, report) => {
    if (!isRevocation(card)) return
    report('/tools', "'tools' and 'endpoints' are empty: the card revokes the agent", { atName: true })
  }),
  rule(FINDINGS.EMPTY_MEMBER, (card, report) => {
    const revokes = isRevocation(card)
    const look = (of: PlacedObject | undefined, names: readonly string[]) => {
      for (const name of names) {
        const isList = of === card.root && (name === 'tools' || name === 'endpoints')
        if ((revokes && isList) || !isEmpty(name, valueIn(of, name))) continue
        const other = name === 'tools' ? 'endpoints' : 'tools'
        const more = isList ? `, and it revokes nothing as long as '${other}' is not empty, too` : ''
        const pointer = `${of!.pointer}/${name}`
        const detail = `'${name}' is empty: leave it out${more}`
        // No automatic fix for a list: only the author knows whether empty means revoked or absent.
        report(pointer, detail, isList ? {} : { fix: () => removeMember(card.document, pointer) })
      }
    }
    look(card.root, ROOT)
    look(card.constraints, ['supported_languages'])
    for (const tool of card.tools) look(tool, ['description'])
  }),
]

const texts = placeholderRule<Card>(FINDINGS.PLACEHOLDER, [
  [['description'], 'what the agent does, in the words that people search for'],
  [['skills', '*'], 'a tag that the agent is found by: blazon tags list has the standard ones'],
  [['tools', '*', 'description'], 'what the tool does'],
])

export const placeholder = rule<Card>(texts, (card, report, context) => {
  texts.check(card, report, context)
  leftEndpoints(card, report)
})

/**
 * Without a key, the template derives the id and an endpoint from the name. Reports that endpoint when the id has since
 * become a key.
 */
function leftEndpoints({ id, endpoints }: Card, report: Report): void {
  if (id === undefined || !isKeyName(authorityOf(id.value))) return
  for (const { pointer, value } of endpoints) {
    const { protocol, uri, auth, ...others } = value
    if (protocol !== 'aitp' || auth !== 'aitp_signed' || typeof uri !== 'string' || Object.keys(others).length > 0)
      continue
    const authority = authorityOf(uri)
    if (authority === '' || isKeyName(authority)) continue
    const fix = { hint: `write ${JSON.stringify(id.value)}, the id of the card` }
    report(`${pointer}/uri`, `this is still the endpoint of the template: the id is no longer ${quoted(uri)}`, { fix })
  }
}

function authorityOf(uri: string): string {
  const read = readAgentUri(uri)
  return 'detail' in read ? '' : read.authority
}
