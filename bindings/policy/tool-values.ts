import { nameOf } from '../core/pattern-findings.ts'
import { canonicalizeValue } from '../core/value.ts'
import { DocumentError, whyUnreadable } from '../document/finding.ts'
import type { Diagnostic } from '../document/types.ts'
import type { FileOptions } from '../frame/source.ts'
import { CompiledSchema } from '../schema/run.ts'
import { compileSchema } from '../schema/schema.ts'
import type { SchemaLimits, SchemaOptions } from '../schema/types.ts'
import { isObject, type PlacedObject, textIn, valueIn } from '../text/members.ts'
import { quoted, shown } from '../text/words.ts'

/** The reason that a value must not be passed to a tool, or returned from it. */
export interface ToolFinding {
  /** JSON Pointer into the value. */
  readonly pointer: string
  /**
   * The JSON Schema keyword that the value violates, or one of these:
   * - `limit`: checking was stopped at a limit.
   * - `json`: JSON cannot express the value.
   * - `schema`: the tool's schema cannot be used.
   * - `tool`: no tool has this name.
   * - `document`: the definition cannot be read.
   */
  readonly keyword: string
  readonly message: string
  /** JSON Pointer into the definition. In another document: its URI with the pointer as fragment. */
  readonly decidedBy: string
}

export interface ToolCheck {
  readonly valid: boolean
  /** The faults of the value; empty when it is valid. */
  readonly findings: readonly ToolFinding[]
}

export type ToolOptions = SchemaOptions & SchemaLimits & FileOptions

/** The values that tools accept and return, as their definition declares them. */
export interface ToolSchemas {
  /** The findings of reading the definition. With an error among them, no value passes. */
  readonly diagnostics: readonly Diagnostic[]
  /** The faults of unusable schemas. No value passes these schemas. */
  readonly problems: readonly ToolFinding[]
  /** Checks a value before a tool is called with it. */
  checkInput(tool: string, value: unknown): ToolCheck
  /** Checks a value that a tool returned, before the agent gets it. */
  checkOutput(tool: string, value: unknown): ToolCheck
}

/**
 * Compiles the `parameters` and `returns` of tools. Without tools, because their document cannot be read, no value
 * passes.
 *
 * @throws {TypeError} or {RangeError} for invalid options. Documents and values never throw: they give findings.
 */
export function toolSchemas(
  declared: readonly PlacedObject[] | undefined,
  diagnostics: readonly Diagnostic[],
  options: ToolOptions,
): ToolSchemas {
  const anything = undeclaredSchema(true, options)
  const object = undeclaredSchema({ type: 'object' }, options)
  // Reports an invalid limit now instead of with the first value.
  anything.validate(null, options)
  if (declared === undefined) {
    const message = whyUnreadable(diagnostics)
    const refusal = () => verdict([{ pointer: '', keyword: 'document', message, decidedBy: '' }])
    return { diagnostics, problems: [], checkInput: refusal, checkOutput: refusal }
  }

  const tools = new Map<string, Tool | 'several'>()
  const problems: ToolFinding[] = []
  for (const tool of declared) {
    const name = textIn(tool, 'name')
    if (name === undefined) continue
    const input = partOf(tool, 'parameters', object, options)
    const output = partOf(tool, 'returns', anything, options)
    for (const one of [input, output].filter((part) => 'keyword' in part)) problems.push(one)
    tools.set(name, tools.has(name) ? 'several' : { input, output })
  }
  const check = (side: keyof Tool, name: string, value: unknown): ToolCheck => {
    if (typeof name !== 'string') throw new TypeError(`tool: expected a string, got ${nameOf(name)}`)
    const tool = tools.get(name)
    if (typeof tool === 'object') return verdict(hold(value, tool[side], options))
    const message = `${tool === undefined ? 'no tool is' : 'several tools are'} called ${quoted(name)}`
    return verdict([{ pointer: '', keyword: 'tool', message, decidedBy: '/tools' }])
  }
  return {
    diagnostics,
    problems,
    checkInput: (tool, value) => check('input', tool, value),
    checkOutput: (tool, value) => check('output', tool, value),
  }
}

/** The schema for one side of a tool, or a finding if it cannot be used. */
type Part = { readonly schema: CompiledSchema; readonly at: string; readonly isDeclared: boolean } | ToolFinding

interface Tool {
  readonly input: Part
  readonly output: Part
}

function partOf(
  tool: PlacedObject,
  name: 'parameters' | 'returns',
  otherwise: CompiledSchema,
  options: ToolOptions,
): Part {
  const declared = valueIn(tool, name)
  if (declared === undefined) return { schema: otherwise, at: tool.pointer, isDeclared: false }
  const at = `${tool.pointer}/${name}`
  const unusable = (decidedBy: string, why: string): ToolFinding => {
    return { pointer: '', keyword: 'schema', message: `the schema cannot be used: ${why}`, decidedBy }
  }
  if (!isObject(declared)) return unusable(at, `expected an object, found ${shown(declared)}`)
  const schema = compileSchema(declared, options)
  if (schema instanceof CompiledSchema) return { schema, at, isDeclared: true }
  const { pointer, message } = schema[0]!
  return unusable(within(at, pointer), message)
}

/** More than a tool's value should need, and less than engines allow in one string. */
const LARGEST = 64 * 1024 * 1024

const decoder = new TextDecoder()

function hold(value: unknown, part: Part, options: ToolOptions): readonly ToolFinding[] {
  if ('keyword' in part) return [part]
  const { schema, at, isDeclared } = part
  // A tool that returns nothing need not declare that.
  if (value === undefined && !isDeclared && schema.validate(value).length === 0) return []
  const json = toJson(value, at)
  if ('keyword' in json) return [json]
  return schema.validate(json.value, options).map(({ instancePointer, schemaPointer, keyword, message }) => {
    const decidedBy = isDeclared ? within(at, schemaPointer) : at
    return { pointer: instancePointer, keyword, message, decidedBy }
  })
}

/**
 * An independent copy of a value in its JSON form: nothing can change it between the check and its use by the schema.
 */
function toJson(value: unknown, decidedBy: string): { readonly value: unknown } | ToolFinding {
  try {
    const bytes = canonicalizeValue(value)
    if (bytes.length <= LARGEST) return { value: JSON.parse(decoder.decode(bytes)) }
    return { pointer: '', keyword: 'limit', message: 'its JSON is longer than 64 MiB', decidedBy }
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    const { source, detail } = error.diagnostics[0]!
    return { pointer: source.pointer, keyword: 'json', message: detail, decidedBy }
  }
}

/** Turns a pointer into a schema into one into the definition. */
function within(at: string, pointer: string): string {
  return pointer === '' || pointer.startsWith('/') ? `${at}${pointer}` : pointer
}

function undeclaredSchema(schema: unknown, options: ToolOptions): CompiledSchema {
  return compileSchema(schema, options) as CompiledSchema
}

function verdict(findings: readonly ToolFinding[]): ToolCheck {
  return { valid: findings.length === 0, findings }
}
