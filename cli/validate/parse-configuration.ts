import { formatPosition } from '../../bindings/document/index.ts'
import { read } from '../../bindings/document/read.ts'
import { type CompiledSchema, compileSchema } from '../../bindings/schema/index.ts'
import schema from '../../docs/schema/config.schema.json' with { type: 'json' }
import { UsageError } from '../usage.ts'
import type { Settings } from './configuration.ts'

let compiled: CompiledSchema | undefined

/** The content of a configuration file; a fault in it is a usage error. */
export function parseConfiguration(bytes: Uint8Array, name: string): Settings {
  const { document, diagnostics } = read(bytes, { file: name })
  if (document === undefined) throw refusal(formatPosition(diagnostics[0]!.source), diagnostics[0]!.detail)
  compiled ??= compileSchema(schema) as CompiledSchema
  const [error] = compiled.validate(document.value)
  if (error !== undefined) throw refusal(formatPosition(document.source(error.instancePointer)), error.message)
  return document.value as Settings
}

function refusal(position: string, detail: string): UsageError {
  return new UsageError(
    'configuration',
    `${position}: ${detail}`,
    'docs/schema/config.schema.json says what a configuration holds',
  )
}
