// Checks the parts of a registered profile's JSON Schema that fragment.ts does not check, with bindings/schema.
import { canonicalizeValue } from '../../core/value.ts'
import { DocumentError } from '../../document/error.ts'
import { CompiledSchema } from '../../schema/compiled.ts'
import { compileSchema } from '../../schema/schema.ts'
import { isObject, type JsonObject } from '../../text/members.ts'
import { escapeToken, parsePointer } from '../../text/pointer.ts'
import { isExtension } from '../shape.ts'
import { DESCRIBING, type Fragment, type FragmentReport, hasParts, isClosed } from './fragment.ts'
import { read, readObject } from './template-values.ts'

/** Compiled schemas that use more than the describing keywords. */
export type ProfileRest = ReadonlyMap<Fragment, CompiledSchema>

/** Copies the schemas of a template by name, and compiles those that fragment.ts does not check completely. */
export function readSchemas(value: unknown, field: string, rest: Map<Fragment, CompiledSchema>) {
  if (value === undefined) return {}
  const from = readObject(value, field)
  const names = Object.keys(from)
  return Object.freeze(
    Object.fromEntries(names.map((name) => [name, readSchema(read(from, name, field), `${field}.${name}`, rest)])),
  )
}

function readSchema(value: unknown, field: string, rest: Map<Fragment, CompiledSchema>): Fragment {
  const fragment = copy(readObject(value, field), field)
  const compiled = compileSchema(fragment)
  if (!(compiled instanceof CompiledSchema)) {
    const { pointer, message } = compiled[0]!
    throw new RangeError(`${field}${pointer.replaceAll('/', '.')}: ${message}`)
  }
  if (!describes(fragment)) rest.set(fragment, compiled)
  return fragment
}

/** Copies through the canonical form: the value is read once, has bounded depth, holds only JSON, and is not shared. */
function copy(value: object, field: string): Fragment {
  try {
    return freeze(JSON.parse(new TextDecoder().decode(canonicalizeValue(value, { maxDepth: 64 }))))
  } catch (error) {
    if (error instanceof DocumentError)
      throw new TypeError(`${field}: ${error.diagnostics[0]!.detail}`, { cause: error })
    throw error
  }
}

function freeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) for (const part of Object.values(Object.freeze(value))) freeze(part)
  return value
}

/** True when fragment.ts checks a schema completely. */
function describes(schema: unknown): boolean {
  if (!isObject(schema)) return false
  const { properties, items, enum: options, additionalProperties } = schema as Fragment
  return (
    Object.keys(schema).every((keyword) => DESCRIBING.has(keyword)) &&
    !isObject(additionalProperties) &&
    !hasParts(options) &&
    Object.values(properties ?? {}).every(describes) &&
    (items === undefined || describes(items))
  )
}

/** Keywords that would forbid extension members, which are allowed everywhere (ADL 4.3). */
const CLOSING: ReadonlySet<string> = new Set(['additionalProperties', 'unevaluatedProperties'])

/** Reports the faults of a value that fragment.ts has not reported. */
export function checkRest(
  fragment: Fragment,
  schema: CompiledSchema,
  value: unknown,
  pointer: string,
  report: FragmentReport,
): void {
  for (const { schemaPointer, instancePointer, keyword, params, message } of schema.validate(value)) {
    const { rule, reported } = traceSchema(fragment, parsePointer(schemaPointer) ?? [], keyword)
    if (reported || (CLOSING.has(keyword) && isExtension(parsePointer(instancePointer)?.at(-1) ?? ''))) continue
    const missing = keyword === 'required'
    const at = `${pointer}${instancePointer}${missing ? `/${escapeToken(String(params['name']))}` : ''}`
    report({ pointer: at, detail: message, rule, missing })
  }
}

/**
 * The rule of the innermost schema on the path to a keyword that names one, and whether fragment.ts has reported it.
 */
function traceSchema(fragment: Fragment, path: readonly string[], keyword: string) {
  let schema: JsonObject = fragment
  let rule = fragment['x-rule']
  let describing = true
  for (let i = 0; i < path.length - 1; i++) {
    const isMember: boolean = describing && path[i] === 'properties'
    describing &&= isMember || path[i] === 'items'
    schema = (isMember ? schema['properties'] : schema) as JsonObject
    schema = schema[path[isMember ? ++i : i]!] as JsonObject
    rule = (schema['x-rule'] as string | undefined) ?? (isMember ? undefined : rule)
  }
  // In a schema that is `false`, `items` is the keyword, or the keyword differs from the last part of the path.
  const isOurs = path.at(-1) === keyword && DESCRIBING.has(keyword) && keyword !== 'items'
  const isLeft =
    (keyword === 'enum' && hasParts(schema['enum'])) ||
    (keyword === 'additionalProperties' && !(Object.hasOwn(schema, 'properties') && isClosed(schema)))
  return { rule, reported: describing && isOurs && !isLeft }
}
