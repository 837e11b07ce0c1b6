import { reportSchema } from '../../frame/report-schema.ts'
import type { Rule } from '../../frame/rule.ts'
import type { JsonObject } from '../../text/members.ts'
import type { Agent } from '../agent.ts'
import { schemaOf } from '../schemas.ts'

export const jsonSchemas: Rule<Agent> = {
  id: 'VAL-07',
  code: 'ADL-2007',
  title: 'Invalid JSON Schema',
  section: 'ADL 8.1',
  severity: 'error',
  why: 'What a model puts into a call, and what comes back, is checked against these; an invalid schema can check nothing.',
  bad: '{"tools": [{"name": "add", "description": "Adds two numbers.", "parameters": {"type": "objekt"}}]}',
  good: '{"tools": [{"name": "add", "description": "Adds two numbers.", "parameters": {"type": "object"}}]}',
  check(agent, report) {
    const read = (schema: JsonObject) => schemaOf(agent, schema)
    for (const tool of agent.tools) {
      reportSchema(tool, 'parameters', report, read)
      reportSchema(tool, 'returns', report, read)
    }
    for (const resource of agent.resources) reportSchema(resource, 'schema', report, read)
    for (const prompt of agent.prompts) reportSchema(prompt, 'arguments', report, read)
  },
}
