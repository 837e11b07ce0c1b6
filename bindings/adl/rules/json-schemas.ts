import { reportReferences, reportSchema } from '../../frame/report-schema.ts'
import type { Report, Rule } from '../../frame/rule.ts'
import type { JsonObject } from '../../text/members.ts'
import type { Agent } from '../agent.ts'
import { SCHEMA_REFERENCE, VAL_07 } from '../findings.ts'
import { schemaOf } from '../schemas.ts'

export const jsonSchemas: Rule<Agent> = {
  ...VAL_07,
  check: (agent, report) => forEachSchema(agent, reportSchema, report),
}

export const schemaReferences: Rule<Agent> = {
  ...SCHEMA_REFERENCE,
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
