import type { Rule } from '../../frame/rule.ts'
import { textMember } from '../../text/members.ts'
import { isScriptUrl } from '../../text/script-url.ts'
import { quoted } from '../../text/words.ts'
import type { Card } from '../card.ts'

export const scriptEndpoint: Rule<Card> = {
  id: 'script-endpoint',
  code: 'CARD-144',
  title: 'Endpoint that is run or read where it is opened',
  section: 'Agent Card 7',
  severity: 'error',
  why: 'A page or a program that opens it runs code of whoever wrote the card, or reads its own files for him.',
  bad: '{"endpoints": [{"protocol": "http+json", "uri": "javascript:alert(1)"}]}',
  good: '{"endpoints": [{"protocol": "http+json", "uri": "https://agents.example.com/chat"}]}',
  check({ endpoints }, report) {
    for (const endpoint of endpoints) {
      const uri = textMember(endpoint, 'uri')
      if (uri === undefined || !isScriptUrl(uri.value)) continue
      report(uri.pointer, `${quoted(uri.value)} is run or read where it is opened: it leads to no agent`)
    }
  },
}
