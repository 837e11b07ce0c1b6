import { isObject, type JsonObject, member, objectOf } from '../../../text/members.ts'
import { isBearerToken } from '../../../text/moment.ts'
import { quoted, shown } from '../../../text/words.ts'
import { jsonOf } from '../template/output.ts'
import { compileTemplate, Template } from '../template/template.ts'
import { type CallFault, toolContract } from './contract.ts'

export interface HttpRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface RequestOptions {
  /** The host's URL: relative endpoints continue it. Tokens and `env` go to its origin only. */
  readonly base: string
  /** Granted environment variables, for `{{.env.NAME}}` in a body. */
  readonly env?: Readonly<Record<string, string>>
  /** By provider: `twitter` for a tool with `twitter_token`; `bearer` for one with `auth: bearer` alone. */
  readonly tokens?: Readonly<Record<string, string>>
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

/**
 * The request for one call of an HTTP tool, or the reasons why it must not be sent. Sends nothing.
 *
 * @throws {TypeError} when `base` is not an HTTP URL without a query.
 */
export function buildRequest(
  tool: JsonObject,
  args: JsonObject,
  options: RequestOptions,
): { readonly request: HttpRequest } | { readonly faults: readonly CallFault[] } {
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
  else for (const [name, value] of rest) for (const one of [value].flat()) url.searchParams.append(name, textOf(one))
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

const textOf = (value: unknown): string => (isObject(value) || Array.isArray(value) ? jsonOf(value)! : String(value))

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
