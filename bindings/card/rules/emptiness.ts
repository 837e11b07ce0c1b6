// Empty members, and the meaning of empty tools and endpoints.
import { removeMember } from '../../document/fixes.ts'
import type { Rule } from '../../frame/rule.ts'
import { isObject, member, type PlacedObject } from '../../text/members.ts'
import type { Card } from '../card.ts'
import { EMPTY_MEMBER, REVOCATION } from '../findings.ts'
import { isRevocation } from '../revocation.ts'

const LISTS = ['skills', 'tools', 'endpoints', 'supported_languages']

/** True when a member of the right type is empty. */
function isEmpty(name: string, value: unknown): boolean {
  if (name === 'description') return value === ''
  if (LISTS.includes(name)) return Array.isArray(value) && value.length === 0
  return isObject(value) && Object.keys(value).length === 0
}

export const revocation: Rule<Card> = {
  ...REVOCATION,
  check(card, report) {
    if (!isRevocation(card)) return
    report('/tools', "'tools' and 'endpoints' are empty: the card revokes the agent", { atName: true })
  },
}

/**
 * The members of the root that mean the same empty as absent. This is not so for `methods` of endpoints and for
 * schemas.
 */
const ROOT = ['description', 'skills', 'tools', 'endpoints', 'constraints', 'metadata', 'extensions']

export const emptyMember: Rule<Card> = {
  ...EMPTY_MEMBER,
  check(card, report) {
    const revokes = isRevocation(card)
    const look = (of: PlacedObject | undefined, names: readonly string[]) => {
      for (const name of names) {
        const isList = of === card.root && (name === 'tools' || name === 'endpoints')
        if ((revokes && isList) || !isEmpty(name, member(of?.value, name))) continue
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
  },
}
