import { reportRepeated } from '../../frame/repeated.ts'
import { reportSchema } from '../../frame/report-schema.ts'
import type { Rule } from '../../frame/rule.ts'
import { textMember } from '../../text/members.ts'
import { utf8Length } from '../../wasm/utf8.ts'
import type { Card } from '../card.ts'
import { DUPLICATE_TOOL, TOOL_NAME, TOOL_SCHEMA } from '../findings.ts'

const MOST_OCTETS = 255

export const toolName: Rule<Card> = {
  ...TOOL_NAME,
  check({ tools }, report) {
    for (const tool of tools) {
      const name = textMember(tool, 'name')
      // A UTF-16 unit has at most three octets in UTF-8.
      if (name === undefined || name.value.length * 3 <= MOST_OCTETS) continue
      const octets = utf8Length(name.value)
      if (octets > MOST_OCTETS) report(name.pointer, `Tool name has ${octets} UTF-8 octets, ${MOST_OCTETS} at the most`)
    }
  },
}

export const duplicateTool: Rule<Card> = {
  ...DUPLICATE_TOOL,
  check: ({ tools }, report) => reportRepeated('tool', tools, report),
}

export const toolSchema: Rule<Card> = {
  ...TOOL_SCHEMA,
  check({ tools }, report) {
    for (const tool of tools) {
      reportSchema(tool, 'input_schema', report)
      reportSchema(tool, 'output_schema', report)
    }
  },
}
