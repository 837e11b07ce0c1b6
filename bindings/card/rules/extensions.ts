import type { Rule } from '../../frame/rule.ts'
import { escapeToken } from '../../text/pointer.ts'
import { quoted } from '../../text/words.ts'
import type { Card } from '../card.ts'
import { EXTENSION_NAMESPACE } from '../findings.ts'

const NAMESPACE = /^[a-z][a-z0-9_-]*(?:\.[a-z0-9][a-z0-9_-]*)*$/

export const extensionNamespace: Rule<Card> = {
  ...EXTENSION_NAMESPACE,
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
