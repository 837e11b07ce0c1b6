import type { Rule } from '../../frame/rule.ts'
import { isMimeType } from '../../schema/formats.ts'
import { elements, isText, objectMember } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import type { Agent } from '../agent.ts'
import { MEDIA_TYPE } from '../findings.ts'

export const mediaTypes: Rule<Agent> = {
  ...MEDIA_TYPE,
  check({ resources, runtime }, report) {
    const input = elements(objectMember(runtime, 'input_handling'), 'content_types', isText)
    for (const list of [...resources.map((resource) => elements(resource, 'mime_types', isText)), input]) {
      for (const { pointer, value } of list) {
        if (!isMimeType(value)) report(pointer, `${quoted(value)} is no MIME type: expected one such as text/plain`)
      }
    }
  },
}
