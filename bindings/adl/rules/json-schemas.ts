import { objectMember, type PlacedObject } from '../../document/members.ts'
import type { Report, Rule } from '../../document/rule.ts'
import { checkSchema } from '../../schema/schema.ts'
import type { Agent } from '../agent.ts'

/** More problems of one schema than these are not told: the first ones lead to them. */
const MOST = 10

function checkPlace(owner: PlacedObject, name: string, report: Report): void {
  const schema = objectMember(owner, name)
  if (schema === undefined) return
  const problems = checkSchema(schema.value)
  for (const { pointer, message } of problems.slice(0, MOST)) {
    // What lies in a resource of its own is named by a URI and no pointer.
    report(schema.pointer + (pointer.startsWith('/') ? pointer : ''), `'${name}' is no JSON Schema: ${message}`)
  }
}

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
      checkPlace(tool, 'parameters', report)
      checkPlace(tool, 'returns', report)
    }
    for (const resource of resources) checkPlace(resource, 'schema', report)
    for (const prompt of prompts) checkPlace(prompt, 'arguments', report)
  },
}
