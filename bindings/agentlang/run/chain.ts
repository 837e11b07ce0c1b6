// Compares JSON Schemas: does every output of one tool fit the input of another?
import { CompiledSchema } from '../../schema/run.ts'
import { compileSchema } from '../../schema/schema.ts'
import { escapeToken, type JsonObject, member, objectOf } from '../../text/members.ts'
import { quoted, typeNames } from '../../text/words.ts'
import { jsonOf } from './template.ts'

export declare namespace canChain {
  interface Result {
    /** `unknown` when the schemas use keywords that cannot be compared, or leave open what the output has. */
    readonly answer: 'yes' | 'no' | 'unknown'
    /** Where in the value, and why; empty for `yes`. */
    readonly pointer: string
    readonly reason: string
  }
}

const MOST_COMPARISONS = 10_000

const IDENTIFIERS = ['$schema', '$id', '$comment', '$defs', 'definitions', '$anchor']
const ANNOTATIONS = ['title', 'description', 'default', 'examples', 'deprecated', 'readOnly', 'writeOnly']
const WITHOUT_DEMAND = new Set([...IDENTIFIERS, ...ANNOTATIONS])
const COMPARED = ['type', 'properties', 'required', 'items', 'additionalProperties']
const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']
const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']
/** Keywords that do not depend on others: equal ones demand the same. */
const ALONE = ['pattern', 'format', 'multipleOf', 'uniqueItems']

/** Says `yes` only if every valid output is a valid input. */
export function canChain(output: unknown, input: unknown): canChain.Result {
  const usable = [output, input].every((schema) => compileSchema(schema) instanceof CompiledSchema)
  if (!usable) return { answer: 'unknown', pointer: '', reason: 'a schema is missing or cannot be used' }
  const json = jsonOf(output)
  const budget = { left: MOST_COMPARISONS }
  const found = json !== undefined && json === jsonOf(input) ? [] : [...differences(output, input, '', budget)]
  return found.find(({ answer }) => answer === 'no') ?? found[0] ?? { answer: 'yes', pointer: '', reason: '' }
}

function* differences(
  output: unknown,
  input: unknown,
  pointer: string,
  budget: { left: number },
): Generator<canChain.Result> {
  const unknown = (reason: string): canChain.Result => ({ answer: 'unknown', pointer, reason })
  const no = (reason: string): canChain.Result => ({ answer: 'no', pointer, reason })
  const [from, to] = [objectOf(output), objectOf(input)]
  const demands = Object.keys(to).filter((keyword) => !WITHOUT_DEMAND.has(keyword))
  if (output === false || input === true || (input !== false && demands.length === 0)) return
  if (--budget.left < 0) return yield unknown('the schemas are too large to compare')
  if (input === false) return yield output === true ? unknown('it may have other members') : no('the input refuses it')
  if (Object.hasOwn(from, '$ref') || Object.hasOwn(from, '$dynamicRef'))
    return yield unknown('the output is a reference')

  const values = Object.hasOwn(from, 'const') ? [from['const']] : member(from, 'enum')
  if (Array.isArray(values)) {
    const schema = compileSchema(input)
    if (!(schema instanceof CompiledSchema)) return yield unknown('the input refers to other schemas')
    const wrong = values.find((value) => schema.validate(value).length > 0)
    return wrong === undefined ? undefined : yield no(`the input refuses ${quoted(jsonOf(wrong) ?? '')}`)
  }

  const types = [from['type'] ?? []].flat() as string[]
  const accepted = [to['type'] ?? []].flat() as string[]
  if (accepted.length > 0) {
    const accepts = (type: string) => accepted.includes(type) || (type === 'integer' && accepted.includes('number'))
    const wrong = types.filter((type) => !accepts(type))
    if (types.length === 0) return yield unknown('the output declares no type')
    if (wrong.length > 0) return yield no(`the output may be ${typeNames(wrong)}, not ${typeNames(accepted)}`)
  }
  for (const keyword of demands) {
    const [own, wanted] = [member(from, keyword), to[keyword]] as [number, number]
    const isMet =
      COMPARED.includes(keyword) ||
      (LOWER.includes(keyword) && own >= wanted) ||
      (UPPER.includes(keyword) && own <= wanted) ||
      (ALONE.includes(keyword) && own === wanted)
    if (!isMet) yield unknown(`the input demands ${keyword}, which the output does not promise`)
  }
  const may = (type: string) => types.length === 0 || types.includes(type)
  if (may('object')) yield* memberDifferences(from, to, pointer, budget)
  if (may('array') && Object.hasOwn(to, 'items')) {
    const isList = Object.hasOwn(from, 'prefixItems') || Array.isArray(from['items'])
    if (Array.isArray(to['items'])) yield unknown('the input demands a type for each position')
    else yield* differences(isList ? true : (member(from, 'items') ?? true), to['items'], `${pointer}/0`, budget)
  }
}

function* memberDifferences(
  from: JsonObject,
  to: JsonObject,
  pointer: string,
  budget: { left: number },
): Generator<canChain.Result> {
  const always = new Set(from['required'] as readonly string[] | undefined)
  for (const name of (member(to, 'required') ?? []) as readonly string[]) {
    if (!always.has(name)) yield { answer: 'no', pointer, reason: `${quoted(name)} may be missing` }
  }
  const [own, wanted] = [objectOf(member(from, 'properties')), objectOf(member(to, 'properties'))]
  const others = Object.hasOwn(from, 'patternProperties') ? true : (member(from, 'additionalProperties') ?? true)
  const at = (name: string) => `${pointer}/${escapeToken(name)}`
  for (const name of Object.keys(wanted))
    yield* differences(member(own, name) ?? others, wanted[name], at(name), budget)
  const refused = member(to, 'additionalProperties') ?? true
  for (const name of Object.keys(own))
    if (!Object.hasOwn(wanted, name)) yield* differences(own[name], refused, at(name), budget)
  yield* differences(others, refused, pointer, budget)
}
