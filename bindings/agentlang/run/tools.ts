// Calls tools within the limits of an agent, and checks what goes in and what comes out.

import type { McpResult, McpSession } from '../../mcp/peer.ts'
import { deadline, isRedirect, readAtMost } from '../../net/deadline.ts'
import type { GuardedFetch } from '../../net/fetch.ts'
import { requestForUrl } from '../../policy/part.ts'
import { isObject, isText, type JsonObject, member, objectOf } from '../../text/members.ts'
import { cut, quoted } from '../../text/words.ts'
import { pinsOf } from '../lock/lock.ts'
import { hiddenInServer, pinServer } from '../lock/specification.ts'
import { isHiddenName } from '../tool-names.ts'
import {
  buildRequest,
  type CallFault,
  parametersOf,
  parseResponse,
  type ToolOutcome,
  toolContract,
} from './contract.ts'
import type { CallContext, RunTool, ToolDefinition } from './models.ts'

/** In UTF-16 units, as JSON. */
const LARGEST_RESULT = 1 << 20
const MOST_FAULTS = 10

export const failed = (message: string): ToolOutcome => ({ kind: 'execution_error', message })

/** How a model sees a tool that an agent or a server describes. */
export function definitionOf(
  name: string,
  { description, output_schema }: { readonly description?: unknown; readonly output_schema?: unknown },
  input_schema: JsonObject,
): ToolDefinition {
  return {
    name,
    ...(isText(description) && { description }),
    input_schema,
    ...(output_schema !== undefined && { output_schema }),
  }
}

/** Calls a tool. A tool that throws, takes too long, or gives too much fails; the reason reaches the model. */
export async function callTool(tool: RunTool, input: JsonObject, context: CallContext): Promise<ToolOutcome> {
  const contract = toolContract({ ...tool.definition })
  const faults = contract.checkArguments(input)
  if (faults.length > 0) return { kind: 'validation_error', faults }
  const seconds = tool.timesItself ? undefined : context.limits.max_exec_time
  const outcome = await within(seconds, context.signal, (signal) => tool.call(input, { ...context, signal }))
  if (outcome.kind !== 'ok') return outcome
  const size = JSON.stringify(outcome.value ?? null).length
  if (size > LARGEST_RESULT) return invalid('limit', `the result is larger than ${LARGEST_RESULT} characters`)
  return contract.checkResult({ output: outcome.value })
}

const invalid = (keyword: string, message: string): ToolOutcome => {
  return { kind: 'validation_error', faults: [{ pointer: '', keyword, message }] }
}

/** Does not wait for a tool that ignores its signal. */
async function within(
  seconds: number | undefined,
  outer: AbortSignal,
  work: (signal: AbortSignal) => Promise<ToolOutcome>,
): Promise<ToolOutcome> {
  const late = deadline((seconds ?? Number.POSITIVE_INFINITY) * 1000, outer)
  try {
    return await Promise.race([
      work(late.signal),
      whenAborted(late.signal).then(() =>
        failed(late.isOver() ? `no result within ${seconds} s` : 'the call was cancelled'),
      ),
    ])
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error))
  } finally {
    late.end()
  }
}

export const whenAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })

/** What the record has of an outcome, and what the model reads of it. */
export function describeOutcome(outcome: ToolOutcome): { readonly output: unknown } | { readonly error: string } {
  if (outcome.kind === 'ok') return { output: outcome.value ?? null }
  if (outcome.kind === 'execution_error') return { error: `execution_error: ${cut(outcome.message, 10_000)}` }
  const faults = outcome.faults.slice(0, MOST_FAULTS).map(faultText)
  return { error: `validation_error: ${cut(faults.join('; '), 10_000)}` }
}

const faultText = ({ pointer, keyword, message }: CallFault) => `${pointer || 'value'}: ${message} (${keyword})`

// The http_tools of an agent, sent by the host's fetch.

export declare namespace httpTools {
  interface Options extends Partial<buildRequest.Options> {
    /** Must refuse private networks: the model chooses parts of URLs. */
    readonly fetch: GuardedFetch
  }
}

const LARGEST_BODY = 4 << 20
/** Stands for the missing base of absolute endpoints; no URL has its origin. */
const NO_BASE = 'https://base.invalid'

/** The tools of `http_tools`. Those with a relative endpoint need a base. */
export function httpTools(agent: JsonObject, { fetch, ...options }: httpTools.Options): readonly RunTool[] {
  const tools = Object.entries(objectOf(member(agent, 'http_tools')))
  return tools.flatMap(([name, value]) => {
    const tool = objectOf(value)
    const endpoint = member(tool, 'endpoint')
    if (options.base === undefined && !/^https?:/i.test(String(endpoint))) return []
    return [httpTool(name, tool, { base: NO_BASE, ...options, fetch })]
  })
}

const httpTool = (name: string, tool: JsonObject, options: httpTools.Options & { readonly base: string }): RunTool => ({
  definition: definitionOf(name, tool, parametersOf(tool)),
  needs: ['network'],
  async call(input, context) {
    const built = buildRequest(tool, input, options)
    if ('faults' in built) return { kind: 'validation_error', faults: built.faults }
    const response = await fetchAllowed(options.fetch, { ...built.request, signal: context.signal }, context)
    const body = await readAtMost(response, LARGEST_BODY)
    if (body === undefined) return failed(`the response is larger than ${LARGEST_BODY} bytes`)
    return parseResponse(tool, { status: response.status, headers: Object.fromEntries(response.headers), body })
  },
})

// allowed_urls: which URLs an agent may reach, checked again for each redirect.

const MOST_REDIRECTS = 3
const MOST_LAYERS = 4

/**
 * True if a pattern allows a URL: same scheme, host and port, and a path that begins with the pattern's. `*.` stands
 * for one or more labels.
 *
 * @example
 * urlFits('https://*.googleapis.com', new URL('https://maps.googleapis.com/v1')) // true
 */
export function urlFits(pattern: string, url: URL): boolean {
  const [, scheme, star, rest] = /^(https?:\/\/)(\*\.)?([^*\\?#]+)$/i.exec(pattern) ?? []
  if (rest === undefined || !URL.canParse(scheme! + rest)) return false
  const allowed = new URL(scheme! + rest)
  if (allowed.protocol !== url.protocol || allowed.port !== url.port || url.username + url.password !== '') return false
  const host = url.hostname.replace(/\.$/, '')
  const fitsHost = star === undefined ? host === allowed.hostname : host.endsWith(`.${allowed.hostname}`)
  const folder = allowed.pathname.replace(/\/$/, '')
  const fitsPath = url.pathname === folder || url.pathname.startsWith(`${folder}/`)
  return fitsHost && fitsPath && (folder === '' || staysBelow(url.pathname))
}

/** Servers decode a path once or more, take a backslash for a slash, and drop what follows a semicolon or NUL. */
function staysBelow(path: string): boolean {
  let text = path
  for (let layer = 0; layer < MOST_LAYERS; layer++) {
    const segments = text.normalize('NFKC').split(/[/\\]/)
    if (segments.some((segment) => /^\s*\.{1,2}\s*(?:$|[;\p{Cc}])/u.test(segment))) return false
    if (!/%[\da-f]{2}/i.test(text)) return true
    try {
      text = decodeURIComponent(text.replace(/%(?![\da-f]{2})/gi, '%25'))
    } catch {
      // Bytes that are no UTF-8: some servers read dots and slashes in them.
      return false
    }
  }
  return false
}

/** The reason why a URL is refused; undefined if each list allows it. */
function urlFault(text: string, lists: readonly (readonly string[])[]): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url !== undefined && lists.every((list) => list.some((pattern) => urlFits(pattern, url)))) return undefined
  return `allowed_urls does not allow ${quoted(url?.origin ?? text)}`
}

/** Fetches a URL and follows redirects by hand, so that none leads where the lists and the policy do not allow. */
async function fetchAllowed(
  fetch: GuardedFetch,
  request: RequestInit & { readonly url: string },
  { allowedUrls, permit }: Pick<CallContext, 'allowedUrls' | 'permit'>,
): Promise<Response> {
  const { url: first, ...init } = request
  let [url, headers] = [first, init.headers]
  for (let hops = 0; ; hops++) {
    const fault = urlFault(url, allowedUrls) ?? (await permit?.(requestForUrl(new URL(url))))
    if (fault !== undefined) throw new Error(fault)
    const response = await fetch(url, { ...init, ...(headers && { headers }), redirect: 'manual' })
    const location = response.headers.get('location')
    if (location === null || !isRedirect(response.status)) return response
    await response.body?.cancel()
    // The body is for the first server only.
    if (init.body != null || !URL.canParse(location, url)) throw new Error('the server redirects, which is refused')
    if (hops === MOST_REDIRECTS) throw new Error(`more than ${MOST_REDIRECTS} redirects`)
    const next = new URL(location, url)
    // Other origins get no credentials.
    if (next.origin !== new URL(url).origin) headers = { accept: 'application/json' }
    url = next.href
  }
}

// The tools of an MCP server that an agent may use: those of its whitelist, as agent.lock has them, without hidden text.

interface OfferedTools {
  readonly tools: readonly RunTool[]
  /** Why other tools are not offered. */
  readonly notices: readonly string[]
}

const MOST_NOTICES = 100

export declare namespace mcpTools {
  interface Server {
    /** Its key in `mcp_servers`. */
    readonly name: string
    readonly session: McpSession
    /** The whitelist; undefined allows all. */
    readonly whitelist: readonly string[] | undefined
    /** Its entry in `mcp` of agent.lock. Without it nothing is offered, unless the user accepts that: `unpinned`. */
    readonly pins: JsonObject | 'unpinned' | undefined
    readonly needs: readonly string[]
  }
}

/**
 * Returns what gives the tools that a server offers now. It asks the server again when this says that its tools
 * changed, or when their list is too old. `tell` gets the reason why a tool is not offered, once.
 */
export function mcpTools(server: mcpTools.Server, tell: (notice: string) => void): () => Promise<readonly RunTool[]> {
  const { name, session } = server
  const told = new Set<string>()
  const list = async () => {
    const offered = await offeredTools(server)
    const notices =
      'ok' in offered ? offered.ok.notices : [`${name}: its tools are not offered: ${offered.fault.detail}`]
    for (const notice of notices) {
      if (told.has(notice) || told.size > MOST_NOTICES) continue
      told.add(notice)
      tell(told.size > MOST_NOTICES ? `${name}: more of its tools are not offered` : notice)
    }
    return 'ok' in offered ? offered.ok.tools : []
  }
  session.watchTools()
  let last = list()
  return () => {
    if (session.areToolsStale) last = list()
    return last
  }
}

/** Lists the tools of a server. Those that are new, changed, not allowed or hide text are not offered. */
async function offeredTools({
  name,
  session,
  whitelist,
  pins,
  needs,
}: mcpTools.Server): Promise<McpResult<OfferedTools>> {
  const listed = await pinServer(session)
  if ('fault' in listed) return listed
  const locked = pins === 'unpinned' ? undefined : objectOf(member(objectOf(pins), 'tools'))
  const found = objectOf(pinsOf(listed.ok)['tools'])
  const names = Object.keys(found)
  const notices = [...(whitelist ?? []), ...Object.keys(locked ?? {})]
    .filter((tool, i, all) => !names.includes(tool) && all.indexOf(tool) === i)
    .map((tool) => `${name}: the server has no tool ${quoted(tool)}`)
  if (locked === undefined || pins === undefined) notices.push(`${name}: agent.lock does not pin its tools`)
  const whyNot = (tool: JsonObject, title: string) => {
    if (whitelist !== undefined && !whitelist.includes(title)) return undefined
    if (locked !== undefined && member(locked, title) === undefined) return 'is not in agent.lock'
    if (locked !== undefined && locked[title] !== found[title]) return 'is not as agent.lock has it'
    if (isHiddenName(title)) return 'has hidden characters in its name'
    return hiddenInServer(name, { tools: [tool] }).length > 0 ? 'has hidden text' : ''
  }
  const tools = listed.ok.tools.filter(isObject).flatMap((tool) => {
    const title = String(tool['name'])
    const why = whyNot(tool, title)
    if (why) notices.push(`${name}: the tool ${quoted(title)} ${why}, so it is not offered`)
    return why === '' ? [mcpTool(tool, title, session, needs)] : []
  })
  return { ok: { tools, notices } }
}

function mcpTool(tool: JsonObject, name: string, session: McpSession, needs: readonly string[]): RunTool {
  const { description, inputSchema, outputSchema: output_schema } = tool
  const input_schema = isObject(inputSchema) ? inputSchema : { type: 'object' }
  return {
    definition: definitionOf(name, { description, output_schema }, input_schema),
    needs,
    async call(input, { signal, limits: { max_exec_time: seconds } }) {
      const answer = await session.callTool(name, input, { signal, ...(seconds && { timeoutMs: seconds * 1000 }) })
      return 'ok' in answer ? outcomeOf(answer.ok) : failed(answer.fault.detail)
    },
  }
}

/** Structured content if there is some, otherwise the text, otherwise all that the server gave. */
function outcomeOf({ content, structuredContent, isError }: JsonObject): ToolOutcome {
  const parts = Array.isArray(content) ? content.map(objectOf) : []
  const texts = parts.map(({ text }) => text).filter(isText)
  if (isError === true) return failed(texts.join('\n') || 'the tool failed')
  const isPlain = texts.length === parts.length
  return { kind: 'ok', value: structuredContent ?? (isPlain ? texts.join('\n') : parts) }
}
