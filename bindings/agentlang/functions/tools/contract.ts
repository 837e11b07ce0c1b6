import { toolSchemas } from '../../../policy/tool-values.ts'
import { type JsonObject, member, objectOf } from '../../../text/members.ts'

/** A fault of one call: an argument, a result, or what the call needs. */
export interface CallFault {
  /** JSON Pointer into the arguments or the result. */
  readonly pointer: string
  /** The keyword of JSON Schema, such as `required`, or what is wrong: `endpoint`, `token`, `template`, `limit`. */
  readonly keyword: string
  readonly message: string
}

export type ToolOutcome =
  | { readonly kind: 'ok'; readonly value: unknown }
  /** The tool failed. */
  | { readonly kind: 'execution_error'; readonly message: string; readonly status?: number; readonly value?: unknown }
  /** The tool returned something else than it declares. */
  | { readonly kind: 'validation_error'; readonly faults: readonly CallFault[] }

/** Compiles `input_schema` and `output_schema` of a tool. A tool without one accepts or returns anything. */
export function toolContract(tool: JsonObject) {
  const [input, output] = [member(tool, 'input_schema'), member(tool, 'output_schema')]
  const declared = {
    name: '',
    ...(input === undefined ? {} : { parameters: input }),
    ...(output === undefined ? {} : { returns: output }),
  }
  const schemas = toolSchemas([{ pointer: '', value: declared }], [], {})
  const faultsOf = (side: 'checkInput' | 'checkOutput', value: unknown) =>
    schemas[side]('', value).findings.map(({ pointer, keyword, message }) => ({ pointer, keyword, message }))
  return {
    /** The faults of arguments; empty when the tool may be called. */
    checkArguments: (value: unknown): readonly CallFault[] => faultsOf('checkInput', value),
    checkResult: ({ output, error }: { readonly output?: unknown; readonly error?: unknown }): ToolOutcome => {
      if (error != null) return { kind: 'execution_error', message: messageOf(error), value: error }
      const faults = faultsOf('checkOutput', output)
      return faults.length === 0 ? { kind: 'ok', value: output } : { kind: 'validation_error', faults }
    },
  }
}

function messageOf(error: unknown): string {
  const message = typeof error === 'string' ? error : member(objectOf(error), 'message')
  return typeof message === 'string' ? message : 'the tool failed'
}
