import type { Rule } from '../../frame/rule.ts'
import { escapeToken } from '../../text/pointer.ts'
import { quoted } from '../../text/words.ts'
import type { Card } from '../card.ts'

const NAMESPACE = /^[a-z][a-z0-9_-]*(?:\.[a-z0-9][a-z0-9_-]*)*$/

export const extensionNamespace: Rule<Card> = {
  id: 'extension-namespace',
  code: 'CARD-128',
  title: 'Namespace of an odd form',
  section: 'Agent Card 3.8',
  severity: 'warning',
  why: 'Two protocols that choose the same name overwrite each other; reverse domains are chosen once.',
  bad: '{"extensions": {"My Data": {}}}',
  good: '{"extensions": {"com.example.data": {}}}',
  check({ extensions }, report) {
    for (const name of Object.keys(extensions?.value ?? {})) {
      if (NAMESPACE.test(name)) continue
      const fix = { hint: 'a domain backwards, such as com.example.data, or a well-known short name' }
      report(`${extensions!.pointer}/${escapeToken(name)}`, `${quoted(name)} is no namespace that others avoid`, {
        atName: true,
        fix,
      })
    }
  },
}
