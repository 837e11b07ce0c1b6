import { rangeOf } from '../../bindings/document/diagnose.ts'
import type { Document } from '../../bindings/document/document.ts'
import { formatPosition } from '../../bindings/document/format.ts'
import { read } from '../../bindings/document/read.ts'
import type { CompiledSchema } from '../../bindings/schema/compiled.ts'
import { compileSchema } from '../../bindings/schema/schema.ts'
import { escapeToken } from '../../bindings/text/pointer.ts'
import schema from '../../docs/schema/config.schema.json' with { type: 'json' }
import { UsageError } from '../usage.ts'
import type { Settings } from './configuration.ts'
import { ruleFault } from './rule-fault.ts'

/** The content of a configuration file; a fault in it is a usage error. */
export function parseConfiguration(bytes: Uint8Array, name: string): Settings {
  const { document, value } = parseAs<Settings>(schema, bytes, name)
  refuseUnknownRules(value, document)
  return value
}

/** A file of the user's own as its schema describes it; the first fault in it is a usage error with its place. */
export function parseAs<Value>(
  schema: object,
  bytes: Uint8Array,
  name: string,
  hint = HELP,
): { readonly document: Document; readonly value: Value } {
  const { document, diagnostics } = read(bytes, { file: name })
  if (document === undefined) throw refusal(formatPosition(diagnostics[0]!.source), diagnostics[0]!.detail, hint)
  const [error] = (compileSchema(schema) as CompiledSchema).validate(document.value)
  if (error !== undefined) throw refusal(formatPosition(document.source(error.instancePointer)), error.message, hint)
  return { document, value: document.value as Value }
}

const HELP = 'blazon/schemas/config.json says what a configuration holds'

function refusal(position: string, detail: string, hint = HELP): UsageError {
  return new UsageError('configuration', `${position}: ${detail}`, hint)
}

/** A misspelt name would leave its rule unchanged without notice. */
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
  throw refusal(formatPosition(rangeOf(document.lines, pointer, at, at, document.file)), fault.message, fault.hint)
}
