import type { Report, Rule } from '../../document/rule.ts'
import { CompiledSchema } from '../../schema/compiled.ts'
import { compileSchema } from '../../schema/schema.ts'
import { type Agent, elements, isObject, objectMember, type PlacedObject } from '../agent.ts'

/** A schema can be made to take long for each example: together they may take half a second. */
const MOST_EXAMPLES = 1000
const MOST_STEPS = 20_000

/** Holds one part of the examples against the schema that it is to have. */
function checkPart(tool: PlacedObject, examples: readonly PlacedObject[], part: string, name: string, report: Report) {
  const schema = objectMember(tool, name)
  if (schema === undefined || !examples.some(({ value }) => Object.hasOwn(value, part))) return
  const compiled = compileSchema(schema.value)
  if (!(compiled instanceof CompiledSchema)) return
  for (const { pointer, value } of examples) {
    if (!Object.hasOwn(value, part)) continue
    const [error] = compiled.validate(value[part], { maxErrors: 1, maxSteps: MOST_STEPS })
    if (error === undefined) continue
    const related = [{ pointer: schema.pointer, message: 'the schema' }]
    const detail = `The example's ${part} does not fit '${name}': ${error.message}`
    report(`${pointer}/${part}${error.instancePointer}`, detail, { related })
  }
}

export const toolExamples: Rule<Agent> = {
  id: 'tool-example',
  code: 'BADL-129',
  title: 'Example that does not fit its schema',
  section: 'ADL 8.1',
  severity: 'warning',
  why: 'Models imitate the examples: they learn to call the tool in a way that is refused.',
  bad: '{"tools": [{"name": "add", "description": "Adds two numbers.", "parameters": {"properties": {"a": {"type": "number"}}}, "examples": [{"input": {"a": "1"}}]}]}',
  good: '{"tools": [{"name": "add", "description": "Adds two numbers.", "parameters": {"properties": {"a": {"type": "number"}}}, "examples": [{"input": {"a": 1}}]}]}',
  check({ tools }, report) {
    let left = MOST_EXAMPLES
    for (const tool of tools) {
      const examples = elements(tool, 'examples', isObject).slice(0, left)
      left -= examples.length
      checkPart(tool, examples, 'input', 'parameters', report)
      checkPart(tool, examples, 'output', 'returns', report)
    }
  },
}
