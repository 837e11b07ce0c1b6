// The requirements of server.json for `remotes` and `packages` (the registry's schema 2025-12-11). Only valid entries
// are restored.
import { type CompiledSchema, compileSchema } from '../../schema/index.ts'

const text = { type: 'string' }
const ref = (name: string) => ({ $ref: `#/$defs/${name}` })
const list = (items: object) => ({ type: 'array', items })
const object = (required: readonly string[], properties: object) => ({ type: 'object', required, properties })

const INPUT = {
  description: text,
  isRequired: { type: 'boolean' },
  isSecret: { type: 'boolean' },
  format: { enum: ['string', 'number', 'boolean', 'filepath'] },
  default: text,
  placeholder: text,
  value: text,
  choices: list(text),
}
const VARIABLES = { type: 'object', additionalProperties: ref('input') }
const URL_TEMPLATE = { type: 'string', pattern: '^(https?://[^\\s]+|\\{[a-zA-Z_][a-zA-Z0-9_]*\\}[^\\s]*)$' }

const http = (type: string) =>
  object(['type', 'url'], { type: { const: type }, url: URL_TEMPLATE, headers: list(ref('named')) })

const ENTRIES = {
  $defs: {
    input: object([], INPUT),
    named: object(['name'], { ...INPUT, name: text, variables: VARIABLES }),
    argument: {
      ...object(['type'], {
        ...INPUT,
        variables: VARIABLES,
        name: text,
        valueHint: text,
        isRepeated: { type: 'boolean' },
      }),
      anyOf: [
        {
          properties: { type: { const: 'positional' } },
          anyOf: [{ required: ['valueHint'] }, { required: ['value'] }],
        },
        { properties: { type: { const: 'named' } }, required: ['name'] },
      ],
    },
    remote: { anyOf: [http('streamable-http'), http('sse')], properties: { variables: VARIABLES } },
    package: object(['registryType', 'identifier', 'transport'], {
      registryType: text,
      registryBaseUrl: text,
      identifier: text,
      version: { type: 'string', minLength: 1, maxLength: 255, not: { const: 'latest' } },
      fileSha256: { type: 'string', pattern: '^[a-f0-9]{64}$' },
      runtimeHint: text,
      transport: { anyOf: [object(['type'], { type: { const: 'stdio' } }), http('streamable-http'), http('sse')] },
      runtimeArguments: list(ref('argument')),
      packageArguments: list(ref('argument')),
      environmentVariables: list(ref('named')),
    }),
  },
}

const compiled = new Map<string, CompiledSchema>()

/** True when a value is a valid entry of `remotes` or `packages`. */
export function isEntry(kind: 'remote' | 'package', value: unknown): boolean {
  let schema = compiled.get(kind)
  if (schema === undefined) {
    schema = compileSchema({ ...ENTRIES, ...ref(kind) }) as CompiledSchema
    compiled.set(kind, schema)
  }
  return schema.validate(value, { maxErrors: 1 }).length === 0
}
