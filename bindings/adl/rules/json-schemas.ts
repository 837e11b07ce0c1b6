import { reportReferences, reportSchema } from '../../frame/report-schema.ts'
import type { Report, Rule } from '../../frame/rule.ts'
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
  check: (agent, report) => forEachSchema(agent, reportSchema, report),
}

export const schemaReferences: Rule<Agent> = {
  id: 'schema-reference',
  code: 'BADL-135',
  title: 'Schema that refers to another document',
  section: 'ADL 8.1',
  severity: 'warning',
  why: 'No document is fetched because a definition names it: whoever does not have it can check nothing, and lets no call of the tool pass.',
  bad: '{"tools": [{"name": "add", "description": "Adds two numbers.", "parameters": {"$ref": "https://example.com/sum.json"}}]}',
  good: '{"tools": [{"name": "add", "description": "Adds two numbers.", "parameters": {"$ref": "#/$defs/sum", "$defs": {"sum": {"type": "object"}}}}]}',
  check: (agent, report) => forEachSchema(agent, reportReferences, report),
}

function forEachSchema(agent: Agent, tell: typeof reportReferences, report: Report): void {
  const read = (schema: JsonObject) => schemaOf(agent, schema)
  for (const tool of agent.tools) {
    tell(tool, 'parameters', report, read)
    tell(tool, 'returns', report, read)
  }
  for (const resource of agent.resources) tell(resource, 'schema', report, read)
  for (const prompt of agent.prompts) tell(prompt, 'arguments', report, read)
}
