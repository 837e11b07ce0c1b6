// MCP servers of agents, started with nothing but what the user grants.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Agent } from '../../bindings/agentlang/folder.ts'
import { folderOf } from '../../bindings/agentlang/folder-of.ts'
import { agentsOf, partsOf, pinOf } from '../../bindings/agentlang/inspect.ts'
import { UNPINNED_SERVER } from '../../bindings/agentlang/lock/findings.ts'
import type { ServerDescription } from '../../bindings/agentlang/lock/lock.ts'
import { pinServer } from '../../bindings/agentlang/lock/specification.ts'
import { limitsOf } from '../../bindings/agentlang/run/budget.ts'
import type { RunTool } from '../../bindings/agentlang/run/models.ts'
import { Redactor, SHORTEST_SECRET } from '../../bindings/agentlang/run/redactor.ts'
import { type CrewMember, crewOf } from '../../bindings/agentlang/run/session.ts'
import { compileTemplate, Template } from '../../bindings/agentlang/run/template.ts'
import { failed, httpTools, mcpTools } from '../../bindings/agentlang/run/tools.ts'
import type { Diagnostic } from '../../bindings/document/types.ts'
import { ruleDiagnostic } from '../../bindings/frame/subject.ts'
import { McpHttpTransport } from '../../bindings/mcp/http.ts'
import { type McpResult, type McpSession, openMcp } from '../../bindings/mcp/peer.ts'
import { bashTool, canIsolate, closeInherited, startMcpServer } from '../../bindings/node/mcp-process.ts'
import { isEqual } from '../../bindings/policy/diff/members.ts'
import { visible } from '../../bindings/text/hidden.ts'
import { escapeToken, isText, type JsonObject, member, objectOf, valueAt } from '../../bindings/text/members.ts'
import { quoted } from '../../bindings/text/words.ts'
import { compact, type Tools, UsageError } from '../command.ts'
import { writeFolder } from '../file-system.ts'
import type { Host } from '../host.ts'
import { word } from '../report/report.ts'
import { filesIn } from '../runs/hook/requests.ts'
import type { Ending } from './models.ts'

interface ServerGrants {
  /** The granted variables with their values. */
  readonly env: Readonly<Record<string, string>>
  /** Where servers work. */
  readonly work: string
  /** Ends the opening of a session. */
  readonly signal?: AbortSignal
}

export function grantedEnv(names: readonly string[], { host }: Pick<Tools, 'host'>): ServerGrants['env'] {
  const granted = names.map((name) => {
    const value = host.env[name]
    if (value) return [name, longEnough('env', name, value)] as const
    throw new UsageError('missing-argument', `--env: the environment has no ${name}`, 'set it, or leave out the option')
  })
  return Object.fromEntries(granted)
}

/** Starts a server if it is a command, and opens a session with it. A fault names no granted value. */
async function openServer(
  name: string,
  server: JsonObject,
  grants: ServerGrants,
  host: Host,
): Promise<McpResult<McpSession>> {
  const { command, args, url } = server
  const values = valuesOf(name, isText(command) ? server['env'] : server['headers'], grants)
  mkdirSync(grants.work, { recursive: true })
  const transport = isText(command)
    ? await startMcpServer({ command, args: listTexts(args), env: values, cwd: grants.work })
    : httpTransport(String(url), values, host.fetch)
  if ('fault' in transport) return transport
  const client = { name: 'blazon', version: host.version }
  const opened = await openMcp(transport.ok, { client, ...compact({ signal: grants.signal }) })
  return 'ok' in opened ? opened : withoutGranted(opened, grants)
}

/** The same without granted values: a server could repeat them. */
const withoutGranted = <Value>(value: Value, { env }: ServerGrants): Value => new Redactor(env).clean(value)

/** Sends the declared headers, but never instead of those of MCP or HTTP itself. Nothing of their values is reported. */
function httpTransport(url: string, declared: ServerGrants['env'], fetch: Host['fetch']): McpResult<McpHttpTransport> {
  const headers = new Headers()
  for (const [name, value] of Object.entries(declared)) {
    try {
      headers.set(name, value)
    } catch {
      return { fault: { reason: 'invalid', detail: `the header ${quoted(name)} has an invalid name or value` } }
    }
    if (OWN_HEADER.test(name))
      return { fault: { reason: 'invalid', detail: `the header ${quoted(name)} is not allowed` } }
  }
  const send = (to: string, init?: RequestInit) =>
    fetch(to, {
      ...init,
      headers: { ...Object.fromEntries(headers), ...Object.fromEntries(new Headers(init?.headers)) },
    })
  return { ok: new McpHttpTransport(url, () => ({ fetch: Object.assign(send, fetch) })) }
}

const OWN_HEADER =
  /^(?:host|connection|content-length|expect|keep-alive|te|trailer|transfer-encoding|upgrade|(?:mcp|proxy)-.*)$/i

const listTexts = (value: unknown): readonly string[] => (Array.isArray(value) ? value.filter(isText) : [])

/** The texts of `env` or `headers`, with what the user granted. */
function valuesOf(name: string, texts: unknown, grants: ServerGrants): ServerGrants['env'] {
  const entries = Object.entries(objectOf(texts)).map(([variable, text]) => {
    const template = compileTemplate(String(text))
    const rendering = template instanceof Template ? template.render('text', { env: grants.env }) : { fault: template }
    if (!('fault' in rendering)) return [variable, rendering.value] as const
    const message = `the MCP server ${visible(name)}: ${visible(variable)}: ${visible(rendering.fault.message)}`
    throw new UsageError('missing-argument', message, 'grant each variable by its name, as in --env STRIPE_KEY')
  })
  return Object.fromEntries(entries)
}

interface PinningOptions {
  /** The names of servers, or `all`. */
  readonly mcp: readonly string[]
  readonly env: readonly string[]
  readonly work: string | undefined
}

/** Starts the named servers of an agent and its sub-agents, one after the other, and asks them for what is pinned. */
export async function describeServers(agent: Agent, { mcp, env, work }: PinningOptions, tools: Tools) {
  const { host, say } = tools
  const agents = agentsOf(agent)
  const declared = agents.flatMap((one) => partsOf(one).map((part) => ({ ...part, document: one.agent.document })))
  const servers = new Map(declared.flatMap((part) => (part.kind === 'server' ? [[part.name, part] as const] : [])))
  const unknown = mcp.find((name) => name !== 'all' && !servers.has(name))
  if (unknown !== undefined || servers.size === 0) {
    const known = [...servers.keys()].map(word).join(', ') || 'none'
    throw new UsageError(
      'invalid-value',
      `--mcp: the agent has no MCP server ${word(unknown ?? '')}`,
      `it has ${known}`,
    )
  }
  const described: [string, ServerDescription][] = []
  const diagnostics: Diagnostic[] = []
  const folder = work === undefined ? mkdtempSync(join(tmpdir(), 'blazon-lock-')) : resolve(host.cwd, work)
  const grants = { env: grantedEnv(env, tools), work: folder }
  closeInherited(process.argv)
  try {
    for (const [name, server] of servers) {
      if (!mcp.includes('all') && !mcp.includes(name)) continue
      const fail = (detail: string) => {
        const pointer = `/mcp_servers/${escapeToken(name)}`
        const shown = visible(withoutGranted(detail, grants))
        diagnostics.push(ruleDiagnostic(server.document, UNPINNED_SERVER, 'error', pointer, shown))
      }
      const isOther = (part: (typeof declared)[number]) =>
        part.kind === 'server' && part.name === name && !isEqual(part.source, server.source)
      if (declared.some(isOther)) {
        fail('Two agents declare different servers of this name')
        continue
      }
      const isCommand = isText(member(server.source, 'command'))
      say(visible(`${isCommand ? 'starting' : 'asking'} ${name} (${pinOf(server)}): ${server.detail}`))
      const session = await openServer(name, server.source, grants, host)
      if ('fault' in session) fail(session.fault.detail)
      else {
        const pinned = await pinServer(session.ok)
        await session.ok.close()
        if ('ok' in pinned) described.push([name, pinned.ok])
        else fail(pinned.fault.detail)
      }
    }
  } finally {
    if (work === undefined) rmSync(folder, { recursive: true, force: true })
  }
  return { mcp: Object.fromEntries(described), diagnostics }
}

// Keeps what the user grants to a run out of all that its command writes.

/** A value that can be kept out of what a run writes. */
export function longEnough(option: string, name: string, value: string): string {
  if (value.trim().length >= SHORTEST_SECRET) return value
  const message = `--${option}: ${name} has under ${SHORTEST_SECRET} characters, so it cannot be hidden in what is written`
  throw new UsageError('invalid-value', message, 'a value that is not a secret can stand in agent.yaml')
}

export interface Hiding {
  cleaned<Value>(value: Value): Value
}

/** The same context, whose output has no secret. */
export function hiding<Own extends Tools>(context: Own, secrets: Readonly<Record<string, string>>) {
  const redactor = new Redactor(secrets)
  const cleaned: Hiding['cleaned'] = (value) => redactor.clean(value)
  const print: Tools['print'] = (...chunks) =>
    context.print(...chunks.map((chunk) => (typeof chunk === 'string' ? cleaned(chunk) : chunk)))
  const say: Tools['say'] = (line) => context.say(cleaned(line))
  const note: Tools['note'] = (line) => context.note(cleaned(line))
  return { context: { ...context, print, say, note }, cleaned }
}

export function cleanedError(error: unknown, cleaned: Hiding['cleaned']): unknown {
  if (error instanceof UsageError) return new UsageError(error.code, cleaned(error.message), cleaned(error.hint))
  if (error instanceof Error) Object.assign(error, { message: cleaned(error.message), stack: cleaned(error.stack) })
  return error
}

// What a run on this machine uses: its model, the tools of its agents, and the user at the terminal.

export interface Grants extends ServerGrants {
  /** What the user accepts by name: `command:NAME`, `network:NAME`, `unenforced:NAME`. */
  readonly accepted: readonly string[]
  /** The servers that the user accepts without pins. */
  readonly unpinned: readonly string[]
  readonly base: string | undefined
}

/** The tools of each agent of a folder. Tells what is not offered; starts only what the user accepts. */
export async function bindTools(agent: Agent, grants: Grants, atEnd: Ending, tools: Tools) {
  const bound = new Map<string, () => Promise<readonly RunTool[]>>()
  let copy: Promise<string> | undefined
  const own = () => {
    copy ??= copyOf(agent, atEnd)
    return copy
  }
  for (const one of crewOf(agent)) {
    const base = grants.base === undefined ? {} : { base: grants.base, env: grants.env, tokens: tokensIn(grants.env) }
    const fixed = [
      ...httpTools(one.value, { fetch: tools.host.fetch, ...base }),
      ...(await commandTools(one, grants, own, tools)),
    ]
    const servers: (() => Promise<readonly RunTool[]>)[] = []
    for (const [name, server] of Object.entries(objectOf(member(one.value, 'mcp_servers'))))
      servers.push(await serverTools(agent, one, name, objectOf(server), grants, atEnd, tools))
    bound.set(one.path, async () => [...fixed, ...(await Promise.all(servers.map((list) => list()))).flat()])
  }
  return (path: string) => bound.get(path)?.() ?? []
}

/** `twitter` for the variable TWITTER_TOKEN. */
const tokensIn = (env: Grants['env']) =>
  Object.fromEntries(Object.entries(env).map(([name, value]) => [name.replace(/_TOKEN$/, '').toLowerCase(), value]))

function notUsed(what: string, why: string, say: Tools['say']): readonly [] {
  say(visible(`${what} is not used: ${why}`))
  return []
}

/** Writes the files of an agent to a new folder, which goes away at the end. */
async function copyOf(agent: Agent, atEnd: Ending): Promise<string> {
  const place = mkdtempSync(join(tmpdir(), 'blazon-agent-'))
  atEnd(async () => rmSync(place, { recursive: true, force: true }))
  const { paths = [], files } = folderOf(agent) ?? {}
  const folder = join(place, 'agent')
  await writeFolder(folder, new Map(paths.map((path) => [path, files!.get(path)!])))
  return folder
}

/** The bash_tools that the user accepts. The sandbox holds them to the paths of their agent. */
async function commandTools(
  { path, value }: CrewMember,
  { accepted, work }: Grants,
  own: () => Promise<string>,
  { say }: Tools,
) {
  const declared = Object.entries(objectOf(member(value, 'bash_tools')))
  const skip = (name: string, why: string) => notUsed(`${path}: the command ${name}`, why, say)
  const isWanted = declared.some(([name]) => accepted.includes(`command:${name}`))
  const isIsolated = isWanted && (await canIsolate())
  const files = isIsolated ? await own() : ''
  const { disk_quota } = limitsOf(objectOf(member(value, 'constraints')))
  const hasPaths = valueAt(value, '/constraints/sandbox/allowed_paths') !== undefined
  return declared.flatMap(([name, tool]) => {
    const isAccepted = (what: string) => accepted.includes(`${what}:${name}`)
    if (!isAccepted('command')) return skip(name, `grant it with --accept command:${name}`)
    if (!isIsolated) return skip(name, 'the sandbox of bubblewrap (bwrap) does not start here')
    const isUnenforced = isAccepted('unenforced')
    if (disk_quota !== undefined && hasPaths && !isUnenforced)
      return skip(
        name,
        `this host cannot hold allowed_paths to disk_quota; accept that with --accept unenforced:${name}`,
      )
    const hasNetwork = isAccepted('network')
    if (hasNetwork) say(visible(`${path}: the command ${name} has the network, and allowed_urls do not hold for it`))
    return [bashTool(name, objectOf(tool), { work, isUnenforced, hasNetwork, own: files })]
  })
}

/** A tool of a server on this machine, which asks for the files that its arguments name. */
const askingForFiles = (tool: RunTool, work: string): RunTool => ({
  ...tool,
  async call(input, context) {
    for (const request of filesIn(input, work)) {
      const refusal = await context.permit?.(request)
      if (refusal !== undefined) return failed(`refused: ${refusal}`)
    }
    return tool.call(input, context)
  },
})

const LIMITS = ['allowed_paths', 'allowed_urls', 'disk_quota']

async function serverTools(
  agent: Agent,
  { path, value }: CrewMember,
  name: string,
  declared: JsonObject,
  grants: Grants,
  atEnd: Ending,
  { host, say }: Tools,
): Promise<() => Promise<readonly RunTool[]>> {
  const { command, tools: whitelist } = declared
  const skip = (why: string) => {
    const none = notUsed(`${path}: the MCP server ${name}`, why, say)
    return async () => none
  }
  const isAccepted = (what: string) => grants.accepted.includes(`${what}:${name}`)
  const limits = LIMITS.filter((limit) => valueAt(value, `/constraints/sandbox/${limit}`) !== undefined)
  if (limits.length > 0 && !isAccepted('unenforced'))
    return skip(`this host cannot hold it to ${limits.join(', ')}; accept that with --accept unenforced:${name}`)
  if (isText(command) && !isAccepted('command')) return skip(`it is a command; start it with --accept command:${name}`)
  const lock = folderOf(agent)?.lock?.parsed.document?.value
  const pins = valueAt(lock, `/mcp/${escapeToken(name)}`)
  const isUnpinned = pins === undefined && grants.unpinned.includes(name)
  if (pins === undefined && !isUnpinned)
    return skip(
      `agent.lock does not pin its tools; pin them with blazon agent lock, or accept it with --unpinned ${name}`,
    )
  const opened = await openServer(name, declared, grants, host)
  if ('fault' in opened) return skip(opened.fault.detail)
  atEnd(() => opened.ok.close())
  const server = {
    name,
    session: opened.ok,
    whitelist: Array.isArray(whitelist) ? listTexts(whitelist) : undefined,
    pins: isUnpinned ? ('unpinned' as const) : objectOf(pins),
    needs: [isText(command) ? 'shell' : 'network'],
  }
  const list = mcpTools(server, (notice) => say(visible(`${path}: ${withoutGranted(notice, grants)}`)))
  return isText(command) ? async () => (await list()).map((tool) => askingForFiles(tool, grants.work)) : list
}
