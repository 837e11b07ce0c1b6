import { reportReferences, reportSchema } from '../../frame/report-schema.ts'
import type { Report, Rule } from '../../frame/subject.ts'
import { CompiledSchema } from '../../schema/run.ts'
import { ReadSchema } from '../../schema/schema.ts'
import { elements, isObject, type JsonObject, objectMember, type PlacedObject } from '../../text/members.ts'
import { SCHEMA_REFERENCE, TOOL_EXAMPLE, VAL_07 } from '../findings.ts'
import { once } from '../places.ts'
import type { Agent } from '../subject.ts'

const read = once(() => new Map<JsonObject, ReadSchema>())

/**
 * The compiled JSON Schema of an agent. It is read once, because two rules use it: one checks the schema, one the
 * examples.
 */
function schemaOf(agent: Agent, schema: JsonObject): ReadSchema {
  const known = read(agent)
  let found = known.get(schema)
  if (found === undefined) {
    found = new ReadSchema(schema)
    known.set(schema, found)
  }
  return found
}

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

/** A schema may be designed to be slow for each example. All of them together may take about a second. */
const MOST_EXAMPLES = 1000
const MOST_STEPS = 1_000_000
const MOST_STEPS_EACH = 20_000

interface Bounded {
  readonly agent: Agent
  readonly examples: readonly PlacedObject[]
  readonly maxSteps: number
}

/** Checks one part of the examples against its schema. */
function checkPart(
  tool: PlacedObject,
  part: string,
  name: string,
  { agent, examples, maxSteps }: Bounded,
  report: Report,
) {
  const schema = objectMember(tool, name)
  if (schema === undefined || !examples.some(({ value }) => Object.hasOwn(value, part))) return
  const compiled = schemaOf(agent, schema.value).compile()
  if (!(compiled instanceof CompiledSchema)) return
  for (const { pointer, value } of examples) {
    if (!Object.hasOwn(value, part)) continue
    // An input of another type is a separate fault (ADL-1004).
    if (part === 'input' && !isObject(value[part])) continue
    const [error] = compiled.validate(value[part], { maxErrors: 1, maxSteps })
    if (error === undefined) continue
    const related = [{ pointer: schema.pointer, message: 'the schema' }]
    const verb = error.keyword === 'limit' ? 'could not be held against' : 'does not fit'
    const detail = `The example's ${part} ${verb} '${name}': ${error.message}`
    report(`${pointer}/${part}${error.instancePointer}`, detail, { related })
  }
}

export const toolExamples: Rule<Agent> = {
  ...TOOL_EXAMPLE,
  check(agent, report) {
    const { tools } = agent
    const lists = tools.map((tool) => elements(tool, 'examples', isObject))
    const count = lists.reduce((sum, list) => sum + list.length, 0)
    if (count === 0) return
    const maxSteps = Math.min(MOST_STEPS_EACH, Math.ceil(MOST_STEPS / Math.min(count, MOST_EXAMPLES)))
    let left = MOST_EXAMPLES
    for (const [i, tool] of tools.entries()) {
      const examples = lists[i]!.slice(0, left)
      left -= examples.length
      const bounded = { agent, examples, maxSteps }
      checkPart(tool, 'input', 'parameters', bounded, report)
      checkPart(tool, 'output', 'returns', bounded, report)
    }
  },
}
