import type { Rule } from '../../frame/rule.ts'
import { quoted } from '../../text/words.ts'
import { readAgentUri } from '../agent-uri.ts'
import type { Card } from '../card.ts'
import { AGENT_ID } from '../findings.ts'

export const agentId: Rule<Card> = {
  ...AGENT_ID,
  check({ id }, report) {
    // The schema reports ids with another beginning.
    if (id === undefined || !id.value.startsWith('agent://')) return
    const read = readAgentUri(id.value)
    if ('detail' in read) report(id.pointer, `${quoted(id.value)} is no agent:// URI: ${read.detail}`)
  },
}
