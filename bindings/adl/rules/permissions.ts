// Reports the findings of bindings/core about permission patterns, as rules of ADL. Most patterns are plain, and
// checking their characters saves the call into the core.
import { checkPattern } from '../../core/patterns.ts'
import type { FindingKind } from '../../document/finding.ts'
import { didYouMean } from '../../document/fixes.ts'
import { reportReferences, reportSchema } from '../../frame/report-schema.ts'
import { type Report, type Rule, rule } from '../../frame/subject.ts'
import { needsShell, normalizeDenial, unmatchable } from '../../policy/path.ts'
import { CompiledSchema } from '../../schema/run.ts'
import { ReadSchema } from '../../schema/schema.ts'
import {
  elements,
  isObject,
  isText,
  type JsonObject,
  objectMember,
  type PlacedObject,
  valueIn,
} from '../../text/members.ts'
import { quoted, suggest } from '../../text/words.ts'
import * as FINDINGS from '../findings.ts'
import { SCHEMA_REFERENCE, TOOL_EXAMPLE, VAL_07 } from '../findings.ts'
import { once, type PermissionKind, type PlacedPattern, patterns } from '../places.ts'
import type { Agent } from '../subject.ts'

const PLAIN: Readonly<Record<PermissionKind, RegExp>> = {
  host: /^(\*\.)?[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63}){0,20}$/,
  path: /^(\/(?!\.\.?(\/|$))[\w.-]+)+(\/\*\*)?$/,
  env: /^\w+\*?$/,
  command: /^[\w.-]+$/,
}

/** The patterns that need a closer check. Most documents have none. */
const closely = once((agent): readonly PlacedPattern[] =>
  patterns(agent).filter(({ kind, value }) => value.length > 255 || !PLAIN[kind].test(value)),
)

const NAMES: Readonly<Record<PermissionKind, string>> = {
  host: 'host',
  path: 'filesystem path',
  env: 'environment variable',
  command: 'command',
}

function syntaxRule(kind: PermissionKind, finding: FindingKind): Rule<Agent> {
  return rule(finding, (agent, report) => {
    for (const pattern of closely(agent)) {
      if (pattern.kind !== kind) continue
      const fault = checkPattern(kind, pattern.value).find(({ severity }) => severity === 'error')
      if (fault !== undefined) {
        report(pattern.pointer, `Pattern ${quoted(pattern.value)} is not a valid ${NAMES[kind]} pattern`, {
          fix: { hint: fault.message },
        })
      }
    }
  })
}

/** Reports the warnings of `checkPattern` with one of these reasons, unless it also reports an error. */
function tell(
  reasons: readonly string[],
  agent: Agent,
  report: Report,
  otherwise: (pattern: PlacedPattern) => string | undefined = () => undefined,
): void {
  for (const pattern of closely(agent)) {
    const found = checkPattern(pattern.kind, pattern.value)
    if (found.some(({ severity }) => severity === 'error')) continue
    const first = found.find(({ reason }) => reasons.includes(reason))
    if (first === undefined) continue
    report(pattern.pointer, otherwise(pattern) ?? `Pattern ${quoted(pattern.value)}: ${first.message}`)
  }
}

export const GRANT_RULES: readonly Rule<Agent>[] = [
  rule(FINDINGS.SHELL_COMMAND, ({ permissions }, report) => {
    const execution = objectMember(permissions, 'execution')
    if (execution === undefined || valueIn(execution, 'allow_shell') === true) return
    for (const { pointer, value } of elements(execution, 'allowed_commands', isText)) {
      if (needsShell(value, false)) {
        report(pointer, `${quoted(value)} is a shell or needs one, and allow_shell is not true: it stays denied`)
      }
    }
  }),
  rule(FINDINGS.ALLOW_SHELL, ({ permissions }, report) => {
    const execution = objectMember(permissions, 'execution')
    if (valueIn(execution, 'allow_shell') !== true) return
    report(`${execution!.pointer}/allow_shell`, 'allow_shell lets the agent run every command')
  }),
  rule(FINDINGS.UNMATCHED_PATH, (agent, report) => {
    for (const { kind, value, pointer, isAllowing } of closely(agent)) {
      if (kind !== 'path' || checkPattern(kind, value).some(({ severity }) => severity === 'error')) continue
      const reason = isAllowing ? unmatchable(value) : normalizeDenial(value) === undefined && 'paths are absolute'
      if (!reason) continue
      const lost = isAllowing ? '' : ', and until it denies something nothing in the domain is granted'
      report(pointer, `Pattern ${quoted(value)} matches nothing: ${reason}${lost}`, {
        fix: { hint: 'write the whole path from / on: variables, ~ and .. are not resolved in patterns' },
      })
    }
  }),
]

const schemasOf = once(() => new Map<JsonObject, ReadSchema>())

/**
 * The compiled JSON Schema of an agent. It is read once, because two rules use it: one checks the schema, one the
 * examples.
 */
function schemaOf(agent: Agent, schema: JsonObject): ReadSchema {
  const known = schemasOf(agent)
  let found = known.get(schema)
  if (found === undefined) {
    found = new ReadSchema(schema)
    known.set(schema, found)
  }
  return found
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

interface BoundedExamples {
  readonly agent: Agent
  readonly examples: readonly PlacedObject[]
  readonly maxSteps: number
}

/** Checks one part of the examples against its schema. */
function checkPart(
  tool: PlacedObject,
  part: string,
  name: string,
  { agent, examples, maxSteps }: BoundedExamples,
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

/** Keywords with which a schema may name properties elsewhere. */
const ELSEWHERE = ['$ref', '$dynamicRef', 'allOf', 'anyOf', 'oneOf', 'if', 'patternProperties', 'dependentSchemas']

/** Finds names in `required` that are no properties, also in the schemas of properties and items. */
function checkRequired(schema: PlacedObject | undefined, report: Report): void {
  if (schema === undefined) return
  const properties = objectMember(schema, 'properties')
  const isWhole = !ELSEWHERE.some((keyword) => Object.hasOwn(schema.value, keyword))
  const names = Object.keys(properties?.value ?? {})
  if (properties !== undefined && isWhole)
    for (const { pointer, value } of elements(schema, 'required', isText)) {
      if (Object.hasOwn(properties.value, value)) continue
      const meant = names.length > MOST_COMPARED ? undefined : suggest(value, names)
      report(pointer, `${quoted(value)} is required, and no property has that name`, didYouMean(meant))
    }
  for (const name of names) checkRequired(objectMember(properties, name), report)
  checkRequired(objectMember(schema, 'items'), report)
}

/** Each suggestion compares a name with all of them. */
const MOST_COMPARED = 100

export const PATTERN_RULES: readonly Rule<Agent>[] = [
  rule(VAL_07, (agent, report) => forEachSchema(agent, reportSchema, report)),
  rule(FINDINGS.SCHEMA_REQUIRED, ({ tools }, report) => {
    for (const tool of tools)
      for (const name of ['parameters', 'returns']) checkRequired(objectMember(tool, name), report)
  }),
  rule(SCHEMA_REFERENCE, (agent, report) => forEachSchema(agent, reportReferences, report)),
  rule(TOOL_EXAMPLE, (agent, report) => {
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
  }),
  syntaxRule('host', FINDINGS.VAL_21),
  syntaxRule('path', FINDINGS.VAL_22),
  syntaxRule('env', FINDINGS.VAL_23),
  syntaxRule('command', FINDINGS.COMMAND_PATTERN),
  rule(FINDINGS.BARE_WILDCARD, (agent, report) => {
    tell(['bare-wildcard'], agent, report, ({ kind, value, isAllowing }) => {
      if (isAllowing) return undefined
      return `Pattern ${quoted(value)} denies every ${NAMES[kind]}: whatever else is allowed here, nothing is`
    })
  }),
  rule(FINDINGS.MID_WILDCARD, (agent, report) => tell(['mid-wildcard'], agent, report)),
  rule(FINDINGS.PATTERN_CHARACTERS, (agent, report) => tell(['space', 'non-ascii', 'host-character'], agent, report)),
]
