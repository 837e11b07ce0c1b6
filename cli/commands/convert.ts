import { resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { SENSITIVITIES, type Sensitivity } from '../../bindings/adl/places.ts'
import { convert } from '../../bindings/convert/convert.ts'
import {
  type ConvertFormat,
  type ConvertOptions,
  FORMATS,
  type LossReport,
  RUNNER_FORMATS,
  type RunnerFormat,
  SOURCE_FORMATS,
  type SourceFormat,
} from '../../bindings/convert/formats.ts'
import {
  callOptions,
  type OperationReference,
  type OptionName,
  readOption,
  resolveOperations,
} from '../../bindings/convert/openapi.ts'
import { convertRuns, RUN_FORMATS, RUN_TARGETS, type RunFormat } from '../../bindings/convert/run/convert-runs.ts'
import type { RunExportOptions } from '../../bindings/convert/run/to-otlp.ts'
import { writeToml } from '../../bindings/document/toml/write.ts'
import { SECRET } from '../agentlang/options.ts'
import { compact, defineCommand, EXIT, type Outcome, type Tools, UsageError, unreadable } from '../command.ts'
import type { Readable, Reader } from '../reader.ts'
import { saveOrPrint } from '../save.ts'

export const command = defineCommand({
  options: {
    to: {
      value: 'FORMAT',
      needed: 'as in --to a2a-1.0',
      choices: [...FORMATS, ...RUNNER_FORMATS, ...RUN_TARGETS],
      about: 'the format to write',
    },
    from: {
      value: 'FORMAT',
      choices: [...SOURCE_FORMATS, ...RUNNER_FORMATS, ...RUN_FORMATS],
      about: 'the format of FILE (default: detected)',
    },
    id: { value: 'ID', about: 'the agent:// id of a card, if FILE has none' },
    url: { value: 'URL', about: 'the URL of the agent' },
    binding: {
      value: 'BINDING',
      choices: ['JSONRPC', 'GRPC', 'HTTP+JSON'],
      about: 'the protocol at that URL (default JSONRPC)',
    },
    'api-key': { value: 'WHERE:NAME', about: 'where to send an API key: header:X-API-Key' },
    'server-name': { value: 'NAME', about: 'the name in an MCP registry: com.example/weather' },
    command: { value: 'COMMAND', about: 'the command that starts the server' },
    arg: { value: 'ARG', many: true, about: 'an argument of that command' },
    project: { value: 'FOLDER', about: 'for settings: where relative paths begin' },
    server: { value: 'NAME', about: 'the server to take from a client configuration' },
    classification: {
      value: 'LEVEL',
      choices: SENSITIVITIES,
      about: 'the sensitivity of a definition, if FILE has none',
    },
    'agent-version': { value: 'VERSION', about: 'the version of the agent, if FILE has none' },
    description: { value: 'TEXT', about: 'the description of the agent, if FILE has none' },
    tenant: { value: 'NAME', about: 'the tenant of a run, if FILE has none (default local)' },
    secret: SECRET,
    openapi: { value: 'URI=FILE', many: true, about: 'the document to use for this openapi_ref' },
    carry: {
      value: 'WHAT',
      choices: ['public', 'all', 'nothing'],
      about: 'which members to carry along (default public)',
    },
    strict: { about: 'exit 1 if something is lost' },
    out: { value: 'FILE', about: 'write the document to this file' },
  },
  async run(context) {
    const { options, positionals, reader } = context
    const { to, from, carry, id, url, binding, command, server, description } = options
    const name = reader.file(positionals, 'convert converts one document')
    const target = RUN_TARGETS.find((format) => format === to)
    const source = RUN_FORMATS.find((format) => format === from)
    if (from !== undefined && (target === undefined) !== (source === undefined))
      throw new UsageError('wrong-arguments', `${from} does not convert to ${to}`, 'runs convert among themselves only')
    if (target !== undefined) return convertRun(name, target, source, context)
    const read = await reader.document(name)
    const { file } = read
    const forRunner = await convertRunner(read, context)
    if (forRunner !== undefined) return forRunner
    const { document, loss: sealed } =
      read.kind === 'container'
        ? await (await import('../agentlang/agent.ts')).openAgent(read, options.secret, context)
        : { document: read.document, loss: [] }
    const apis = await readApis(options.openapi, reader)
    const resolved =
      apis.size === 0 ? undefined : resolveOperations(document, { allow: [...apis.keys()], documents: apis })
    const wanted = compact({
      ...{ from: from as SourceFormat | undefined, carry, id, url, binding, command, server, description },
      apiKey: orFlagError(readApiKey, options['api-key']),
      serverName: options['server-name'],
      args: options.arg.length === 0 ? undefined : options.arg,
      classification: options.classification === undefined ? undefined : { sensitivity: options.classification },
      version: options['agent-version'],
    })
    const made = orFlagError(convert, resolved?.document ?? document, { to: to as ConvertFormat, ...wanted })
    const diagnostics = inFlags(made.diagnostics)
    if (made.document === undefined) return { results: [unreadable({ file, diagnostics })] }
    const loss = [...inFlags(made.loss), ...sealed]
    await saveOrPrint(options.out, `${new TextDecoder().decode(made.document.bytes)}\n`, context, { over: file })
    return {
      results: [{ file, kind: to, valid: true, diagnostics, document: made.document.value, loss }],
      notes: [...(resolved?.references ?? []).map(referenceNote), ...lossNotes(loss)],
      ...(options.strict && isLossy(loss) && { exit: EXIT.findings }),
    }
  },
})

/** Options of `convert` whose flags have other names. */
const FLAGS: Readonly<Partial<Record<OptionName, string>>> = {
  serverName: 'server-name',
  apiKey: 'api-key',
  args: 'arg',
  version: 'agent-version',
}

const flagOf = (name: OptionName) => `--${FLAGS[name] ?? name}`

/** Rewrites the names of options in messages into those of the command line. */
const inFlags = <Row extends { readonly detail: string }>(rows: readonly Row[]): Row[] =>
  rows.map((row) => ({ ...row, detail: callOptions(row.detail, flagOf).replace("carry: 'all'", '--carry all') }))

/** Invalid values of options, such as an id that is not an agent:// URI, are usage errors. */
function orFlagError<Given extends unknown[], Made>(make: (...given: Given) => Made, ...given: Given): Made {
  try {
    return make(...given)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    const message = error.message.replace(/^\w+/, (name) => flagOf(name as OptionName))
    throw new UsageError('invalid-value', message, 'blazon help convert')
  }
}

/** Reads the OpenAPI documents that tools may refer to, by their URIs. */
async function readApis(pairs: readonly string[], reader: Reader): Promise<Map<string, unknown>> {
  const apis = new Map<string, unknown>()
  for (const pair of pairs) {
    const at = pair.lastIndexOf('=')
    if (at < 1) {
      const hint = 'as in --openapi https://api.example.com/openapi.json=openapi.json'
      throw new UsageError('invalid-value', `--openapi: expected URI=FILE, got "${pair}"`, hint)
    }
    const { document, diagnostics } = await reader.tryDocument(pair.slice(at + 1))
    if (document === undefined)
      throw new UsageError('invalid-value', `--openapi: ${diagnostics[0]?.detail}`, 'name a JSON or YAML document')
    apis.set(pair.slice(0, at), document.value)
  }
  return apis
}

function referenceNote({ pointer, uri, operationId, detail, filled }: OperationReference): string {
  const what = filled.length > 0 ? `, which gives ${filled.join(' and ')}` : ''
  return `${pointer}: ${operationId ?? 'no operation'} of ${uri}: ${detail}${what}`
}

const readApiKey = (text: string | undefined) =>
  text === undefined ? undefined : (readOption('apiKey', text) as ConvertOptions['apiKey'])

// What a conversion loses, as lines for people.

/** Outcomes that are listed one by one; the others are only counted. */
const LISTED = ['changed', 'dropped', 'added'] as const

const isLossy = (loss: LossReport) => loss.some(({ outcome }) => outcome === 'changed' || outcome === 'dropped')

/** A line for each member with a listed outcome, and the count of each outcome. */
function lossNotes(loss: LossReport): string[] {
  const count = (outcome: string) => loss.filter((row) => row.outcome === outcome).length
  const lines = LISTED.flatMap((outcome) =>
    loss
      .filter((row) => row.outcome === outcome)
      .map(({ file, pointer, target, detail, count = 1 }) => {
        const times = count === 1 ? '' : `, ${count} times`
        return `${outcome.padEnd(7)}  ${file ?? pointer ?? target}: ${detail}${times}`
      }),
  )
  const counts = ['kept', 'renamed', ...LISTED].map((outcome) => `${count(outcome)} ${outcome}`)
  return [...lines, counts.join(', ')]
}

/** Converts from or to the configuration of a runner; undefined for other documents. */
async function convertRunner(
  { file, kind, document }: Readable,
  { options, ...tools }: Tools & { readonly options: RunnerConvertOptions },
): Promise<Outcome | undefined> {
  const { to, from, out, strict, project, description } = options
  const isRunner = (format: string | undefined) => RUNNER_FORMATS.includes(format as RunnerFormat)
  const mayBe =
    to === 'adl' && from === undefined && (kind === undefined || kind === 'claude-settings' || kind === 'codex-config')
  if (!isRunner(to) && !isRunner(from) && !mayBe) return undefined
  const { convertPermissions, runnerFormatOf } = await import(
    '../../bindings/convert/permissions/convert-permissions.ts'
  )
  if (mayBe && runnerFormatOf(document) === undefined) return undefined
  const { classification: sensitivity, 'agent-version': version } = options
  const convertIn = (folder: string | undefined) =>
    convertPermissions(document, {
      to: to as RunnerFormat,
      ...compact({ from: from as RunnerFormat | undefined, version, description, file, project: folder }),
      ...(sensitivity !== undefined && { classification: { sensitivity: sensitivity as Sensitivity } }),
    })
  const made = convertIn(project === undefined ? undefined : resolve(tools.host.cwd, project))
  const isRelative = project === undefined && !isDeepStrictEqual(convertIn('/project').document, made.document)
  const { diagnostics, loss } = made
  if (made.document === undefined) return { results: [unreadable({ file, diagnostics })] }
  const text = to === 'codex-config' ? writeToml(made.document) : `${JSON.stringify(made.document, null, 2)}\n`
  await saveOrPrint(out, text, tools, { over: file })
  return {
    results: [{ file, kind: to, valid: true, diagnostics, document: made.document, loss }],
    notes: [...lossNotes(loss), ...(isRelative ? [RELATIVE] : [])],
    ...(strict && isLossy(loss) && { exit: EXIT.findings }),
  }
}

const RELATIVE = 'relative paths grant nothing, and deny in every folder: --project FOLDER says where they begin'

interface RunnerConvertOptions extends RunConvertOptions {
  readonly to: string
  readonly from: string | undefined
  readonly project: string | undefined
  readonly description: string | undefined
  readonly classification: string | undefined
  readonly 'agent-version': string | undefined
}

// What `blazon convert` does with runs.

interface RunConvertOptions {
  readonly carry: RunExportOptions['carry'] | undefined
  readonly tenant: string | undefined
  readonly out: string | undefined
  readonly strict: boolean
}

/** Writes one document, or one in each line when the source has several runs. */
export async function convertRun(
  name: string,
  to: convertRuns.Target,
  from: RunFormat | undefined,
  { options, ...tools }: Tools & { readonly options: RunConvertOptions },
): Promise<Outcome> {
  const { file, bytes } = await tools.reader.bytes(name)
  const { carry, tenant, out, strict } = options
  const { documents, loss, diagnostics } = convertRuns(bytes, { to, file, ...compact({ from, carry, tenant }) })
  const valid = !diagnostics.some(({ severity }) => severity === 'error')
  const result = { file, kind: to, valid, diagnostics, loss }
  if (!valid) return { results: [result] }
  const isOne = documents.length === 1
  const text = documents.map((document) => `${JSON.stringify(document, null, isOne ? 2 : 0)}\n`).join('')
  await saveOrPrint(out, text, tools, { over: file })
  return {
    results: [{ ...result, document: isOne ? documents[0] : documents }],
    notes: lossNotes(loss),
    ...(strict && isLossy(loss) && { exit: EXIT.findings }),
  }
}
