import { checkPattern } from '../../bindings/core/patterns.ts'
import { rangeOf } from '../../bindings/document/diagnose.ts'
import { formatPosition } from '../../bindings/document/finding.ts'
import type { Document } from '../../bindings/document/parse.ts'
import { read } from '../../bindings/document/read.ts'
import { unknownRule } from '../../bindings/frame/verbs.ts'
import type { CompiledSchema } from '../../bindings/schema/run.ts'
import { compileSchema } from '../../bindings/schema/schema.ts'
import type { SchemaError } from '../../bindings/schema/types.ts'
import { escapeToken, parsePointer, valueAt } from '../../bindings/text/members.ts'
import { knownRules } from '../../bindings/verbs.ts'
import schema from '../../docs/schema/config.schema.json' with { type: 'json' }
import { nearestOr, UsageError } from '../command.ts'
import type { Settings } from './configuration.ts'

/** Parses a configuration file; a fault in it is a usage error. One that another file extends extends no third. */
export function parseConfiguration(bytes: Uint8Array, name: string, isBase: boolean): Settings {
  const { document, value } = parseAs<Settings>(schema, bytes, name)
  if (isBase && value.extends !== undefined) {
    const detail = 'a configuration that another one extends cannot extend a third'
    throw refusal(
      formatPosition(document.source('/extends')),
      detail,
      'copy the settings of the third file into one of the two',
    )
  }
  refuseUnknownRules(value, document)
  refusePlaces(value, document)
  return value
}

/** Parses a file of the user by its schema. The first fault in it is a usage error with its place. */
export function parseAs<Value>(
  schema: object,
  bytes: Uint8Array,
  name: string,
  hint = HELP,
): { readonly document: Document; readonly value: Value } {
  const { document, diagnostics } = read(bytes, { file: name })
  if (document === undefined) throw refusal(formatPosition(diagnostics[0]!.source), diagnostics[0]!.detail, hint)
  const [error] = (compileSchema(schema) as CompiledSchema).validate(document.value)
  if (error !== undefined)
    throw refusal(placeOfError(document, error), error.message, suggestName(error, schema) ?? hint)
  return { document, value: document.value as Value }
}

const HELP = 'blazon/schemas/config.json describes a configuration'

/** Locates the error: at the name of a member that is not allowed. */
function placeOfError(document: Document, { instancePointer, keyword }: SchemaError): string {
  const { keyStart, start } = document.nearest(instancePointer)
  return positionAt(document, instancePointer, keyword === 'additionalProperties' ? (keyStart ?? start) : start)
}

const positionAt = (document: Document, pointer: string, at: number) =>
  formatPosition(rangeOf(document.lines, pointer, at, at, document.file))

/** Suggests a member or word that is allowed. */
function suggestName({ keyword, params, schemaPointer }: SchemaError, schema: object): string | undefined {
  const { actual, allowed, name } = params as { actual?: unknown; allowed?: string[]; name?: string }
  if (keyword === 'enum') return nearestOr(HELP, String(actual), allowed!)
  if (keyword !== 'additionalProperties') return undefined
  const owner = schemaPointer.slice(0, schemaPointer.lastIndexOf('/'))
  const names = Object.keys(valueAt(schema, `${owner}/properties`) as object)
  return nearestOr(`one of ${names.join(', ')}`, name, names)
}

/** Refuses malformed file patterns and pointers, which would never match. */
function refusePlaces({ overrides = [], suppress = [] }: Settings, document: Document): void {
  const each = (at: string, texts: readonly string[] = []) => texts.map((text, i) => [`${at}/${i}`, text] as const)
  const files = [
    ...overrides.flatMap((override, i) => each(`/overrides/${i}/files`, override.files)),
    ...suppress.flatMap((suppression, i) => each(`/suppress/${i}/files`, suppression.files)),
  ]
  for (const [at, pattern] of files) {
    const error = checkPattern('path', pattern).find(({ severity }) => severity === 'error')
    if (error === undefined) continue
    throw refusal(formatPosition(document.source(at)), error.message, 'as in agents/** or **/*.yaml')
  }
  const pointers = [
    ...overrides.flatMap((override, i) => each(`/overrides/${i}/pointers`, override.pointers)),
    ...suppress.map(({ pointer = '' }, i) => [`/suppress/${i}/pointer`, pointer] as const),
  ]
  const wrong = pointers.find(([, pointer]) => parsePointer(pointer) === undefined)
  if (wrong === undefined) return
  const detail = `expected a JSON Pointer, found "${wrong[1]}"`
  throw refusal(formatPosition(document.source(wrong[0])), detail, 'as in /tools/0')
}

const refusal = (position: string, detail: string, hint = HELP): UsageError =>
  new UsageError('configuration', `${position}: ${detail}`, hint)

/** Refuses unknown names: a misspelled one would leave its rule unchanged without notice. */
function refuseUnknownRules({ rules = {}, overrides = [], suppress = [] }: Settings, document: Document): void {
  const named = [
    ...Object.keys(rules).map((name) => [name, `/rules/${escapeToken(name)}`] as const),
    ...overrides.flatMap((override, i) =>
      Object.keys(override.rules).map((name) => [name, `/overrides/${i}/rules/${escapeToken(name)}`] as const),
    ),
    ...suppress.map(({ rule }, i) => [rule, `/suppress/${i}/rule`] as const),
  ]
  const fault = ruleFault(named.map(([name]) => name))
  if (fault === undefined) return
  const [, pointer] = named.find(([name]) => name === fault.name)!
  const { keyStart, start } = document.nearest(pointer)
  const at = pointer.startsWith('/suppress/') ? start : (keyStart ?? start)
  throw refusal(positionAt(document, pointer, at), fault.message, fault.hint)
}

/** Reports the first name that is neither a rule nor a code; undefined if all are known. */
export function ruleFault(names: readonly string[]): { name: string; message: string; hint: string } | undefined {
  const unknown = names.length === 0 ? undefined : unknownRule(names, knownRules())
  if (unknown === undefined) return undefined
  const { name, nearest } = unknown
  const hint = nearest === undefined ? 'blazon explain lists all' : `did you mean ${nearest}?`
  return { name, message: `unknown rule or code "${name}"`, hint }
}
