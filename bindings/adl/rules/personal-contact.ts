import type { Rule } from '../../frame/rule.ts'
import { elements, isObject, textMember } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import type { Agent } from '../agent.ts'
import { PERSONAL_CONTACT } from '../findings.ts'

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
