import type { Rule } from '../../frame/rule.ts'
import { isMimeType } from '../../schema/formats.ts'
import { elements, isText, objectMember } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import type { Agent } from '../agent.ts'

export const mediaTypes: Rule<Agent> = {
  id: 'media-type',
  code: 'BADL-108',
  title: 'Not a MIME type',
  section: 'ADL 8.2',
  severity: 'error',
  why: 'Programs choose how to read data by its type; an invalid one is never chosen.',
  bad: '{"resources": [{"name": "docs", "type": "file", "mime_types": ["pdf"]}]}',
  good: '{"resources": [{"name": "docs", "type": "file", "mime_types": ["application/pdf"]}]}',
  check({ resources, runtime }, report) {
    const input = elements(objectMember(runtime, 'input_handling'), 'content_types', isText)
    for (const list of [...resources.map((resource) => elements(resource, 'mime_types', isText)), input]) {
      for (const { pointer, value } of list) {
        if (!isMimeType(value)) report(pointer, `${quoted(value)} is no MIME type: expected one such as text/plain`)
      }
    }
  },
}
