import type { Report, Rule } from '../../frame/subject.ts'
import { hostOf, revealedBy } from '../../text/host-name.ts'
import { elements, isObject, member, objectMember, type PlacedObject, textMember } from '../../text/members.ts'
import { mayHoldSecret, REVOKE_SECRET, searchSecrets } from '../../text/secret-shapes.ts'
import { quoted } from '../../text/words.ts'
import { PERSONAL_CONTACT, PRIVATE_HOST, SECRET, VAL_27, VAL_28 } from '../findings.ts'
import { classifications, patterns, SENSITIVITIES, uris } from '../places.ts'
import type { Agent } from '../subject.ts'

const LEVELS: readonly string[] = SENSITIVITIES

export const highWaterMark: Rule<Agent> = {
  ...VAL_28,
  check({ classification, tools, resources }, report) {
    const own = textMember(classification, 'sensitivity')
    if (own === undefined || !LEVELS.includes(own.value)) return
    for (const [kind, list] of [
      ['Tool', tools],
      ['Resource', resources],
    ] as const) {
      for (const entry of list) {
        const level = textMember(objectMember(entry, 'data_classification'), 'sensitivity')
        if (level === undefined || LEVELS.indexOf(level.value) <= LEVELS.indexOf(own.value)) continue
        const name = quoted(textMember(entry, 'name')?.value ?? '')
        const detail = `${kind} ${name} has sensitivity '${level.value}' which exceeds top-level '${own.value}'`
        report(level.pointer, detail, { related: [{ pointer: own.pointer, message: 'the level of the agent' }] })
      }
    }
  },
}

function checkRetention(classification: PlacedObject, report: Report): void {
  const retention = objectMember(classification, 'retention')
  if (retention === undefined) return
  const least = member(retention.value, 'min_days')
  const most = member(retention.value, 'max_days')
  if (typeof least !== 'number' || typeof most !== 'number' || least <= most) return
  const related = [{ pointer: `${retention.pointer}/max_days`, message: 'the most days' }]
  report(`${retention.pointer}/min_days`, `'min_days' is ${least}, more than 'max_days', which is ${most}`, { related })
}

export const retention: Rule<Agent> = {
  ...VAL_27,
  check(agent, report) {
    for (const classification of classifications(agent)) checkRetention(classification, report)
  },
}

/** The largest providers of personal mailboxes. */
const FREE_MAIL = [
  'gmail.com',
  'googlemail.com',
  'outlook.com',
  'hotmail.com',
  'live.com',
  'yahoo.com',
  'icloud.com',
  'me.com',
  'aol.com',
  'proton.me',
  'protonmail.com',
  'gmx.com',
  'gmx.de',
  'gmx.net',
  'web.de',
  'mail.ru',
  'yandex.ru',
  'qq.com',
  '163.com',
]

/** Words for a role rather than a person. */
const ROLES =
  /support|info|contact|team|platform|security|ops|admin|help|sales|office|research|privacy|abuse|reply|agent|dev|engineering|service|press|legal|data|ai|bot/

function isPersonal(address: string): boolean {
  if (address.length > 320) return false
  const at = address.lastIndexOf('@')
  if (at < 0) return false
  if (FREE_MAIL.includes(address.slice(at + 1).toLowerCase())) return true
  const local = address.slice(0, at).toLowerCase()
  return /^[a-z]+[._][a-z]+$/.test(local) && !local.split(/[._]/).some((word) => ROLES.test(word))
}

export const personalContact: Rule<Agent> = {
  ...PERSONAL_CONTACT,
  check({ provider, metadata }, report) {
    const authors = elements(metadata, 'authors', isObject).map((author) => textMember(author, 'email'))
    for (const address of [textMember(provider, 'contact'), ...authors]) {
      if (address === undefined || !isPersonal(address.value)) continue
      report(address.pointer, `${quoted(address.value)} looks like the address of a person: use one of an office`)
    }
  },
}

export const privateHosts: Rule<Agent> = {
  ...PRIVATE_HOST,
  check(agent, report) {
    for (const { kind, isAllowing, pointer, value } of patterns(agent)) {
      if (kind !== 'host' || !isAllowing || value.length > 255) continue
      const what = revealedBy(value)
      if (what !== undefined) report(pointer, `Host ${quoted(value)} is ${what}`)
    }
    for (const { pointer, value } of uris(agent)) {
      const host = hostOf(value)
      if (host === undefined || host === '' || host.length > 255) continue
      const what = revealedBy(host)
      if (what !== undefined) report(pointer, `Host ${quoted(host)} is ${what}`)
    }
  },
}

/** Random values that are meant to be public: keys for verification, signatures, digests. */
const PUBLIC = /^\/(cryptographic_identity\/public_key|security\/attestation\/signature)\/\w+$/

/** The same values as one text. */
function publicTexts({ identity, attestation }: Agent): string {
  const key = textMember(objectMember(identity, 'public_key'), 'value')
  const signature = objectMember(attestation, 'signature')
  const texts = [key, textMember(signature, 'value'), textMember(signature, 'digest_value')]
  return texts.map((text) => text?.value ?? '').join(' ')
}

export const secrets: Rule<Agent> = {
  ...SECRET,
  check(agent, report) {
    const { document, root } = agent
    if (!mayHoldSecret(document.bytes, publicTexts(agent))) return
    searchSecrets(root.value, (pointer, what) => {
      if (!PUBLIC.test(pointer)) report(pointer, `The text looks like ${what}`, { fix: REVOKE_SECRET })
    })
  },
}
