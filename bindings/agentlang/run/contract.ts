import { parse } from '../../document/parse.ts'
import { isLine, needsShell } from '../../policy/path.ts'
import { toolSchemas } from '../../policy/tool-values.ts'
import { escapeToken, isObject, type JsonObject, member, objectOf } from '../../text/members.ts'
import { isBearerToken } from '../../text/moment.ts'
import { quoted, shown } from '../../text/words.ts'
import { compileTemplate, jsonOf, Template } from './template.ts'

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

const MOST_ARGUMENTS = 1_000
const MOST_LENGTH = 128 * 1024

/** The parameters of a bash tool: its command is fixed, and the model chooses the arguments. */
export const COMMAND_PARAMETERS: JsonObject = {
  type: 'object',
  properties: { args: { type: 'array', items: { type: 'string' }, maxItems: MOST_ARGUMENTS } },
  required: ['args'],
  additionalProperties: false,
}

/** The reason why a `command` cannot start without a shell, or would start one. */
export function commandFault(command: string): string | undefined {
  const words = command.split(' ').filter((word) => word !== '')
  if (words.length === 0) return 'the command is empty'
  const special = words.find((word) => isLine(word, false))
  if (special !== undefined) return `a shell could read ${quoted(special)} as more than a word`
  return needsShell(command, false) ? `${quoted(command)} starts a shell` : undefined
}

/** The program and its arguments for a call of a bash tool, to start without a shell. */
export function commandLine(
  tool: JsonObject,
  args: readonly string[],
): { readonly argv: readonly string[] } | { readonly fault: string } {
  const command = member(tool, 'command')
  if (typeof command !== 'string') return { fault: 'the tool has no command' }
  const fault = commandFault(command)
  if (fault !== undefined) return { fault }
  const isText = (arg: unknown) => typeof arg === 'string' && !arg.includes('\0')
  if (!Array.isArray(args) || !args.every(isText)) return { fault: 'arguments must be texts without NUL' }
  if (args.length > MOST_ARGUMENTS || args.join('').length > MOST_LENGTH) return { fault: 'the arguments are too long' }
  return { argv: [...command.split(' ').filter((word) => word !== ''), ...args] }
}

/** Where arguments go without a template. */
const IN_URL = ['GET', 'HEAD', 'DELETE']
const IN_BODY = ['POST', 'PUT', 'PATCH']

/** The parameters of an HTTP tool as JSON Schema, for models and for checks. */
export function parametersOf(tool: JsonObject): JsonObject {
  const params = Object.entries(objectOf(member(tool, 'params')))
  const schema = ([name, param]: [string, unknown]) => {
    const { required, ...rest } = objectOf(param)
    return [name, typeof required === 'boolean' ? rest : objectOf(param)]
  }
  return {
    type: 'object',
    properties: Object.fromEntries(params.map(schema)),
    required: params.flatMap(([name, param]) => (member(objectOf(param), 'required') === true ? [name] : [])),
    additionalProperties: false,
  }
}

export declare namespace buildRequest {
  interface Request {
    readonly method: string
    readonly url: string
    readonly headers: Readonly<Record<string, string>>
    readonly body?: string
  }

  interface Options {
    /** The host's URL: relative endpoints continue it. Tokens and `env` go to its origin only. */
    readonly base: string
    /** Granted environment variables, for `{{.env.NAME}}` in a body. */
    readonly env?: Readonly<Record<string, string>>
    /** By provider: `twitter` for a tool with `twitter_token`; `bearer` for one with `auth: bearer` alone. */
    readonly tokens?: Readonly<Record<string, string>>
  }
}

/**
 * The request for one call of an HTTP tool, or the reasons why it must not be sent. Sends nothing.
 *
 * @throws {TypeError} when `base` is not an HTTP URL without a query.
 */
export function buildRequest(
  tool: JsonObject,
  args: JsonObject,
  options: buildRequest.Options,
): { readonly request: buildRequest.Request } | { readonly faults: readonly CallFault[] } {
  const base = baseOf(options.base)
  const params = Object.entries(objectOf(member(tool, 'params')))
  const defaults = params.filter(([, param]) => isObject(param) && Object.hasOwn(param, 'default'))
  const values = { ...Object.fromEntries(defaults.map(([name, param]) => [name, objectOf(param)['default']])), ...args }
  const faults = toolContract({ input_schema: parametersOf(tool) }).checkArguments(values)
  if (faults.length > 0) return { faults }
  const refuse = (keyword: string, message: string) => ({ faults: [{ pointer: '', keyword, message }] })

  const template = member(tool, 'body_template')
  const given = member(tool, 'method') ?? (template === undefined ? 'GET' : 'POST')
  const method = typeof given === 'string' ? given.toUpperCase() : ''
  if (![...IN_URL, ...IN_BODY].includes(method)) return refuse('method', `expected a method, found ${shown(given)}`)
  if (template !== undefined && /^(?:GET|HEAD)$/.test(method)) return refuse('method', `${method} has no body`)
  const used = new Set<string>()
  const url = targetOf(member(tool, 'endpoint'), values, base, used)
  if (typeof url === 'string') return refuse('endpoint', url)
  const isOwn = url.origin === base.origin
  const token = tokenOf(tool, options.tokens, isOwn)
  if (typeof token === 'object') return refuse('token', token.reason)

  const rest = Object.entries(values).filter(([name]) => !used.has(name))
  let body: string | undefined
  if (typeof template === 'string') {
    const compiled = compileTemplate(template)
    const data = { ...(isOwn ? { env: options.env ?? {} } : {}), ...values }
    const rendering = compiled instanceof Template ? compiled.render('json', data) : { fault: compiled }
    if ('fault' in rendering) return refuse('template', rendering.fault.message)
    body = rendering.value
  } else if (IN_BODY.includes(method)) body = jsonOf(Object.fromEntries(rest))!
  else for (const [name, value] of rest) for (const one of [value].flat()) url.searchParams.append(name, queryText(one))
  const headers = {
    accept: 'application/json',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  }
  return { request: { method, url: url.href, headers, ...(body === undefined ? {} : { body }) } }
}

/** The reason why no call of an HTTP tool can have a URL. */
export function endpointFault(tool: JsonObject): string | undefined {
  const values = Object.fromEntries(Object.keys(objectOf(member(tool, 'params'))).map((name) => [name, 'x']))
  const url = targetOf(member(tool, 'endpoint'), values, new URL('https://host.example'), new Set())
  return typeof url === 'string' ? url : undefined
}

const queryText = (value: unknown): string => (isObject(value) || Array.isArray(value) ? jsonOf(value)! : String(value))

function baseOf(base: string): URL {
  const url = new URL(base)
  if (/^https?:$/.test(url.protocol) && url.search === '' && url.hash === '' && url.username === '') return url
  throw new TypeError('base: expected an HTTP URL without user, query and fragment')
}

/** The URL of an endpoint with its `{name}` parts filled in, or the reason why it is refused. */
function targetOf(endpoint: unknown, values: JsonObject, base: URL, used: Set<string>): URL | string {
  if (typeof endpoint !== 'string' || /[\0-\x20]/.test(endpoint)) return 'expected a URL or a path'
  const [, origin, path] = /^(https?:\/\/[^/?#\\]*)?(.*)$/is.exec(endpoint)!
  if (origin === undefined && /^[a-z][a-z\d+.-]*:\/\//i.test(endpoint)) return 'expected an HTTP URL or a path'
  let wrong: string | undefined
  const filled = path!.replace(/\{([\w-]+)\}/g, (_, name: string) => {
    used.add(name)
    const value = member(values, name)
    if (value == null || value === '' || typeof value === 'object') wrong = name
    return encodeURIComponent(String(value))
  })
  if (wrong !== undefined) return `{${wrong}} has no value that a URL can carry`
  if (/[{}]/.test(origin + filled)) return 'braces may only stand around the names of parameters, after the host'
  const segments = filled.split(/[?#]/, 1)[0]!.split(/[/\\]/)
  // URL parsers take %2e for a dot.
  if (segments.some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment))) return 'a part of the path is . or ..'
  const start = origin ?? `${base.href.replace(/\/$/, '')}/`
  const text = start + (origin === undefined ? filled.replace(/^\//, '') : filled)
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || url.username !== '' || url.password !== '') return `${quoted(endpoint)} is not a valid URL`
  url.hash = ''
  return url
}

function tokenOf(tool: JsonObject, tokens: JsonObject = {}, isOwn: boolean): string | undefined | { reason: string } {
  const providers = Object.keys(tool).filter((name) => name.endsWith('_token') && tool[name] === true)
  const auth = member(tool, 'auth')
  if (providers.length === 0 && auth === undefined) return undefined
  if (providers.length > 1 || (auth !== undefined && auth !== 'bearer')) return { reason: 'expected one bearer token' }
  const name = providers[0]?.replace(/_token$/, '') ?? 'bearer'
  if (!isOwn) return { reason: `the token ${quoted(name)} goes to the host's own origin only` }
  const token = member(tokens, name)
  if (typeof token !== 'string' || !isBearerToken(token)) return { reason: `the token ${quoted(name)} is not granted` }
  return token
}

export declare namespace parseResponse {
  interface Response {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    readonly body: string | Uint8Array
  }
}

const LARGEST_BODY = 4 * 1024 * 1024

/** Reads the response of an HTTP tool. JSON is read strictly; other types are text. */
export function parseResponse(tool: JsonObject, { status, headers, body }: parseResponse.Response): ToolOutcome {
  const invalid = (keyword: string, message: string): ToolOutcome => {
    return { kind: 'validation_error', faults: [{ pointer: '', keyword, message }] }
  }
  const failed = (value?: unknown): ToolOutcome => {
    return { kind: 'execution_error', message: `the server answered with status ${status}`, status, value }
  }
  const isOk = status >= 200 && status < 300
  if (body.length > LARGEST_BODY) return isOk ? invalid('limit', 'the response is larger than 4 MiB') : failed()
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? ''
  if (!/^application\/(?:[\w.-]+\+)?json *(?:;|$)/i.test(type)) {
    const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
    return isOk ? toolContract(tool).checkResult({ output: text === '' ? null : text }) : failed(text)
  }
  const { document, diagnostics } = parse(body, { maxDepth: 64 })
  if (!isOk) return failed(document?.value)
  if (document === undefined) return invalid('json', `the response is not valid JSON: ${diagnostics[0]!.detail}`)
  return toolContract(tool).checkResult({ output: document.value })
}

const TYPES = ['integer', 'text', 'real', 'blob']
const MEMBERS = ['type', 'primary_key', 'required']
const MOST_TABLES = 100
/** SQLite's own limit. */
const MOST_COLUMNS = 2_000

/** The SQL that creates the tables of a `sqlite` or `storage` tool; empty when there are faults. */
export function ddl(config: JsonObject): {
  readonly statements: readonly string[]
  readonly faults: readonly CallFault[]
} {
  const faults: CallFault[] = []
  const refuse = (pointer: string, message: string) => void faults.push({ pointer, keyword: 'ddl', message })
  const checkNames = (names: readonly string[], most: number, pointer: string) => {
    if (names.length === 0 || names.length > most) refuse(pointer, `expected 1 to ${most} names`)
    // SQLite compares names without regard to the case of ASCII letters.
    const seen = new Set<string>()
    for (const name of names) {
      const key = name.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
      if (seen.has(key)) refuse(pointer, `${quoted(name)} is there twice`)
      if (name === '' || name.length > 128 || name.includes('\0') || key.startsWith('sqlite_')) {
        refuse(pointer, `${quoted(name)} cannot be a name`)
      }
      seen.add(key)
    }
  }
  const columnOf = (name: string, column: JsonObject, pointer: string) => {
    const { type, primary_key: isKey, required } = column
    if (!TYPES.includes(type as string)) refuse(pointer, `expected a type: ${TYPES.join(', ')}`)
    for (const flag of [isKey, required])
      if (flag !== undefined && typeof flag !== 'boolean')
        refuse(pointer, `expected true or false, found ${shown(flag)}`)
    for (const other of Object.keys(column))
      if (!MEMBERS.includes(other)) refuse(pointer, `unknown member ${quoted(other)}`)
    // SQLite allows NULL in keys that are not integers.
    const isSet = required === true || (isKey === true && type !== 'integer')
    return `${identifier(name)} ${typeof type === 'string' ? type.toUpperCase() : ''}${isSet ? ' NOT NULL' : ''}`
  }
  const isStorage = Object.hasOwn(config, 'schema')
  const tables = objectOf(member(isStorage ? objectOf(config['schema']) : config, 'tables'))
  const at = isStorage ? '/schema/tables' : '/tables'
  const names = Object.keys(tables)
  checkNames(names, MOST_TABLES, at)
  const statements = names.slice(0, MOST_TABLES).map((table) => {
    const columns = objectOf(member(objectOf(tables[table]), 'columns'))
    const pointer = `${at}/${escapeToken(table)}/columns`
    const all = Object.keys(columns)
    checkNames(all, MOST_COLUMNS, pointer)
    const parts = all.map((name) => columnOf(name, objectOf(columns[name]), `${pointer}/${escapeToken(name)}`))
    const keys = all.filter((name) => member(objectOf(columns[name]), 'primary_key') === true).map(identifier)
    if (keys.length > 0) parts.push(`PRIMARY KEY (${keys.join(', ')})`)
    return `CREATE TABLE IF NOT EXISTS ${identifier(table)} (${parts.join(', ')})`
  })
  return { statements: faults.length === 0 ? statements : [], faults }
}

const identifier = (name: string) => `"${name.replaceAll('"', '""')}"`
