import {
  type Converted,
  type ConvertOptions,
  convert,
  type Format,
  type LossReport,
  type OperationReference,
  resolveOperations,
} from '../../bindings/convert/index.ts'
import type { Context, Outcome } from '../context.ts'
import { EXIT } from '../exit.ts'
import { save } from '../save.ts'
import { UsageError } from '../usage.ts'

/** Outcomes that are told of one by one; the others are counted. */
const TOLD = ['changed', 'dropped', 'added'] as const

/** `blazon convert`: the document goes to stdout or a file, what became of every member to stderr. */
export async function run({ options, positionals, reader, host }: Context): Promise<Outcome> {
  const to = options.text('to')
  if (to === undefined) throw new UsageError('missing-option', 'convert needs --to', 'as in --to a2a-1.0')
  const name = reader.file(positionals, 'convert converts one document')
  const { file, document, diagnostics } = await reader.document(name)
  if (document === undefined) return { results: [{ file, kind: null, valid: false, diagnostics }], output: [] }
  const apis = await readApis(options, reader)
  const resolved =
    apis.size === 0 ? undefined : resolveOperations(document, { allow: [...apis.keys()], documents: apis })
  const made = attempt(resolved?.document ?? document, { to: to as Format }, readOptions(options))
  const found = [...diagnostics, ...made.diagnostics]
  if (made.document === undefined) {
    return { results: [{ file, kind: null, valid: false, diagnostics: found }], output: [] }
  }
  const { loss } = made
  const isLossy = loss.some(({ outcome }) => outcome === 'changed' || outcome === 'dropped')
  const text = `${new TextDecoder().decode(made.document.bytes)}\n`
  const out = options.text('out')
  if (out !== undefined) await save(host, out, text)
  return {
    results: [{ file, kind: to, valid: true, diagnostics: found, document: made.document.value, loss }],
    output: out === undefined ? [text] : [],
    notes: [...(resolved?.references ?? []).map(referenceNote), ...lossNotes(loss)],
    ...(options.has('strict') && isLossy && { exit: EXIT.findings }),
  }
}

/** What the options demand, such as an id that is an agent:// URI, is for the caller to mend. */
function attempt(...given: Parameters<typeof convert>): Converted {
  try {
    return convert(...given)
  } catch (error) {
    if (error instanceof RangeError) throw new UsageError('invalid-value', error.message, 'blazon help convert')
    throw error
  }
}

/** The OpenAPI documents that tools may refer to, by their addresses. */
async function readApis(options: Context['options'], reader: Context['reader']): Promise<Map<string, unknown>> {
  const apis = new Map<string, unknown>()
  for (const given of options.list('openapi')) {
    const at = given.lastIndexOf('=')
    if (at < 1) {
      const hint = 'as in --openapi https://api.example.com/openapi.json=openapi.json'
      throw new UsageError('invalid-value', `--openapi: expected URI=FILE, got "${given}"`, hint)
    }
    const { document, diagnostics } = await reader.document(given.slice(at + 1))
    if (document === undefined) {
      throw new UsageError('invalid-value', `--openapi: ${diagnostics[0]?.detail}`, 'name a JSON or YAML document')
    }
    apis.set(given.slice(0, at), document.value)
  }
  return apis
}

function referenceNote({ pointer, uri, operationId, detail, filled }: OperationReference): string {
  const what = filled.length > 0 ? `, which gives ${filled.join(' and ')}` : ''
  return `${pointer}: ${operationId ?? 'no operation'} of ${uri}: ${detail}${what}`
}

/** A line for each member that is not simply there, and how many there are of each. */
function lossNotes(loss: LossReport): string[] {
  const count = (outcome: string) => loss.filter((row) => row.outcome === outcome).length
  const lines = TOLD.flatMap((outcome) =>
    loss
      .filter((row) => row.outcome === outcome)
      .map(({ pointer, target, detail }) => `${outcome.padEnd(7)}  ${pointer ?? target}: ${detail}`),
  )
  const counts = ['kept', 'renamed', ...TOLD].map((outcome) => `${count(outcome)} ${outcome}`)
  return [...lines, counts.join(', ')]
}

function readOptions(options: Context['options']): ConvertOptions {
  const text = (name: string) => options.text(name)
  const sensitivity = text('classification')
  const apiKey = text('api-key')
  const args = options.list('arg')
  const wanted: Record<keyof ConvertOptions, unknown> = {
    from: text('from'),
    file: undefined,
    carry: text('carry'),
    id: text('id'),
    url: text('url'),
    binding: text('binding'),
    apiKey: apiKey === undefined ? undefined : readApiKey(apiKey),
    serverName: text('server-name'),
    command: text('command'),
    args: args.length === 0 ? undefined : args,
    server: text('server'),
    classification: sensitivity === undefined ? undefined : { sensitivity },
    version: text('agent-version'),
    description: text('description'),
    now: undefined,
  }
  return Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined))
}

function readApiKey(value: string) {
  const [, where, name] = /^(header|query|cookie):(.+)$/.exec(value) ?? []
  if (where !== undefined && name !== undefined) return { in: where, name }
  throw new UsageError(
    'invalid-value',
    `--api-key: expected WHERE:NAME, got "${value}"`,
    'as in --api-key header:X-API-Key',
  )
}
