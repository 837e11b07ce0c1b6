import type { Rule } from '../../frame/rule.ts'
import { textMember } from '../../text/members.ts'
import { hostOf, revealedBy } from '../../text/private-host.ts'
import { mayHoldSecret, RANDOM_TEXT } from '../../text/secret-shapes.ts'
import { REVOKE_SECRET, searchSecrets } from '../../text/secrets.ts'
import { quoted } from '../../text/words.ts'
import type { Card } from '../card.ts'

const LONGEST_HOST = 255

export const privateHost: Rule<Card> = {
  id: 'private-host',
  code: 'CARD-142',
  title: 'Private host or address',
  section: 'Agent Card 7.5',
  severity: 'warning',
  rulesets: { spec: 'off' },
  why: 'Whoever reads the card learns how the network inside is named and numbered; elsewhere the name leads to another host.',
  bad: '{"endpoints": [{"protocol": "http+json", "uri": "https://agents.corp/v1"}]}',
  good: '{"endpoints": [{"protocol": "http+json", "uri": "https://agents.example.com/v1"}]}',
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
  id: 'secret',
  code: 'CARD-143',
  title: 'Text that looks like a credential',
  section: 'Agent Card 7.5',
  severity: 'warning',
  rulesets: { spec: 'off', strict: 'error', security: 'error' },
  why: 'Cards are made to be passed on: a credential in one is known to all who read it.',
  bad: '{"endpoints": [{"protocol": "ws", "uri": "wss://scout:open-sesame@api.example.com/ws"}]}',
  good: '{"endpoints": [{"protocol": "ws", "uri": "wss://api.example.com/ws", "auth": "bearer"}]}',
  check({ document, root, id, did, signature }, report) {
    const known = [id, did, signature].map((text) => text?.value ?? '').join(' ')
    if (!mayHoldSecret(document.bytes, known)) return
    searchSecrets(root.value, (pointer, what) => {
      if (!isPublic(pointer, what)) report(pointer, `The text looks like ${what}`, { fix: REVOKE_SECRET })
    })
  },
}
