import type { Rule } from '../../document/rule.ts'
import { reportSchema } from '../../schema/report.ts'
import type { Agent } from '../agent.ts'

export const jsonSchemas: Rule<Agent> = {
  id: 'VAL-07',
  code: 'ADL-2007',
  title: 'Invalid JSON Schema',
  section: 'ADL 8.1',
  severity: 'error',
  why: 'What a model puts into a call, and what comes back, is checked against these: by a schema that is none nothing can be.',
  bad: '{"tools": [{"name": "add", "description": "Adds two numbers.", "parameters": {"type": "objekt"}}]}',
  good: '{"tools": [{"name": "add", "description": "Adds two numbers.", "parameters": {"type": "object"}}]}',
  check({ tools, resources, prompts }, report) {
    for (const tool of tools) {
      reportSchema(tool, 'parameters', report)
      reportSchema(tool, 'returns', report)
    }
    for (const resource of resources) reportSchema(resource, 'schema', report)
    for (const prompt of prompts) reportSchema(prompt, 'arguments', report)
  },
}
