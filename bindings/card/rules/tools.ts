import { reportRepeated } from '../../frame/repeated.ts'
import { reportSchema } from '../../frame/report-schema.ts'
import type { Rule } from '../../frame/rule.ts'
import { textMember } from '../../text/members.ts'
import { utf8Length } from '../../wasm/utf8.ts'
import type { Card } from '../card.ts'

const MOST_OCTETS = 255

export const toolName: Rule<Card> = {
  id: 'tool-name',
  code: 'CARD-111',
  title: 'Tool name too long',
  section: 'Agent Card 3.4',
  severity: 'error',
  why: 'The name is the method of an AITP request, which has one octet for its length: a longer one cannot be invoked.',
  bad: `{"tools": [{"name": "${'translate_'.repeat(26)}"}]}`,
  good: '{"tools": [{"name": "translate"}]}',
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
  id: 'duplicate-tool',
  code: 'CARD-112',
  title: 'Tool name used twice',
  section: 'Agent Card 3.4',
  severity: 'warning',
  rulesets: { strict: 'error' },
  why: 'A tool is invoked by its name: of two with the same name nobody can say which schema holds.',
  bad: '{"tools": [{"name": "translate"}, {"name": "translate"}]}',
  good: '{"tools": [{"name": "translate"}, {"name": "detect_language"}]}',
  check: ({ tools }, report) => reportRepeated('tool', tools, report),
}

export const toolSchema: Rule<Card> = {
  id: 'tool-schema',
  code: 'CARD-113',
  title: 'Invalid JSON Schema',
  section: 'Agent Card 3.4',
  severity: 'error',
  why: 'Callers build and check requests by these schemas (draft 2020-12); an invalid one can check nothing.',
  bad: '{"tools": [{"name": "translate", "input_schema": {"type": "objekt"}}]}',
  good: '{"tools": [{"name": "translate", "input_schema": {"type": "object"}}]}',
  check({ tools }, report) {
    for (const tool of tools) {
      reportSchema(tool, 'input_schema', report)
      reportSchema(tool, 'output_schema', report)
    }
  },
}
