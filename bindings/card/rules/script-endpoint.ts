import type { Rule } from '../../frame/rule.ts'
import { textMember } from '../../text/members.ts'
import { isScriptUrl } from '../../text/script-url.ts'
import { quoted } from '../../text/words.ts'
import type { Card } from '../card.ts'
import { SCRIPT_ENDPOINT } from '../findings.ts'

export const scriptEndpoint: Rule<Card> = {
  ...SCRIPT_ENDPOINT,
  check({ endpoints }, report) {
    for (const endpoint of endpoints) {
      const uri = textMember(endpoint, 'uri')
      if (uri === undefined || !isScriptUrl(uri.value)) continue
      report(uri.pointer, `${quoted(uri.value)} is run or read where it is opened: it leads to no agent`)
    }
  },
}
