import type { Rule } from '../../frame/rule.ts'
import { textMember } from '../../text/members.ts'
import { hostOf, revealedBy } from '../../text/private-host.ts'
import { mayHoldSecret, RANDOM_TEXT } from '../../text/secret-shapes.ts'
import { REVOKE_SECRET, searchSecrets } from '../../text/secrets.ts'
import { quoted } from '../../text/words.ts'
import type { Card } from '../card.ts'
import { PRIVATE_HOST, SECRET } from '../findings.ts'

const LONGEST_HOST = 255

export const privateHost: Rule<Card> = {
  ...PRIVATE_HOST,
  check({ endpoints }, report) {
    for (const endpoint of endpoints) {
      const uri = textMember(endpoint, 'uri')
      const host = uri && hostOf(uri.value)
      if (host === undefined || host === '' || host.length > LONGEST_HOST) continue
      const what = revealedBy(host)
      if (what !== undefined) report(uri!.pointer, `Host ${quoted(host)} is ${what}`)
    }
  },
}

/**
 * True for random text that is meant to be public: ids that are keys, and signatures. Extensions may hold any random
 * text.
 */
function isPublic(pointer: string, what: string): boolean {
  if (/^\/(id|did|signature|endpoints\/\d+\/uri)$/.test(pointer)) return what === RANDOM_TEXT
  return what === RANDOM_TEXT && pointer.startsWith('/extensions/')
}

export const secret: Rule<Card> = {
  ...SECRET,
  check({ document, root, id, did, signature }, report) {
    const known = [id, did, signature].map((text) => text?.value ?? '').join(' ')
    if (!mayHoldSecret(document.bytes, known)) return
    searchSecrets(root.value, (pointer, what) => {
      if (!isPublic(pointer, what)) report(pointer, `The text looks like ${what}`, { fix: REVOKE_SECRET })
    })
  },
}
