import type { Rule } from '../../frame/rule.ts'
import { quoted } from '../../text/words.ts'
import { readAgentUri } from '../agent-uri.ts'
import type { Card } from '../card.ts'

export const agentId: Rule<Card> = {
  id: 'agent-id',
  code: 'CARD-108',
  title: 'Id that is no agent:// URI',
  section: 'Agent Card 3.1',
  severity: 'error',
  why: 'The id is the key under which everybody stores, finds and calls the agent. It is compared letter for letter.',
  bad: '{"id": "agent://translator zh en"}',
  good: '{"id": "agent://translator-zh-en"}',
  check({ id }, report) {
    // The schema reports ids with another beginning.
    if (id === undefined || !id.value.startsWith('agent://')) return
    const read = readAgentUri(id.value)
    if ('detail' in read) report(id.pointer, `${quoted(id.value)} is no agent:// URI: ${read.detail}`)
  },
}
