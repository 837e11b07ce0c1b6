// What a run on this machine uses: its model, the tools of its agents, and the user at the terminal.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { type Agent, folderOf } from '../../bindings/agentlang/folder.ts'
import { limitsOf } from '../../bindings/agentlang/run/budget.ts'
import {
  chatModel,
  lineModel,
  type ModelAdapter,
  type RunTool,
  scriptModel,
} from '../../bindings/agentlang/run/models.ts'
import { type CrewMember, crewOf } from '../../bindings/agentlang/run/session.ts'
import { failed, httpTools, mcpTools } from '../../bindings/agentlang/run/tools.ts'
import { bashTool, canIsolate, startMcpServer } from '../../bindings/node/mcp-process.ts'
import { visible } from '../../bindings/text/hidden.ts'
import { escapeToken, isText, type JsonObject, member, objectOf, valueAt } from '../../bindings/text/members.ts'
import type { Tools } from '../command.ts'
import { filesIn } from '../runs/hook/requests.ts'
import { UsageError } from '../usage.ts'
import { writeFolder } from '../write-file.ts'
import { openServer, type ServerGrants, textsIn, withoutGranted } from './servers.ts'

export const MODEL_HINT = 'as in script:plan.json, stdio:./model.py or chat:http://localhost:11434/v1/chat/completions'

/** Work to do when the run is over. */
export type Ending = (work: () => Promise<unknown>) => void

interface NamedAdapter {
  /** `--model` or `--reviewer`. */
  readonly option: string
  readonly name: string
  /** The token of a chat endpoint. */
  readonly key: string | undefined
}

/** The adapter that an option names. */
export async function modelFrom(
  { option, name, key }: NamedAdapter,
  atEnd: Ending,
  tools: Tools,
): Promise<ModelAdapter> {
  const [, kind, rest = ''] = /^(script|stdio|chat):(.+)$/s.exec(name) ?? []
  const wrong = (why: string) => new UsageError('invalid-value', `${option}: ${why}`, MODEL_HINT)
  if (kind === 'script') {
    const { document } = await tools.reader.document(rest, { anything: true })
    try {
      return scriptModel(document.value)
    } catch (error) {
      throw wrong(`${rest}: ${(error as Error).message}`)
    }
  }
  if (kind === 'stdio') {
    const [command, ...args] = rest.split(' ').filter((word) => word !== '')
    const started = await startMcpServer({ command: command!, args })
    if ('fault' in started) throw wrong(started.fault.detail)
    atEnd(() => started.ok.close())
    return lineModel(started.ok)
  }
  if (kind !== 'chat' || !URL.canParse(rest))
    throw wrong(`expected script:FILE, stdio:COMMAND or chat:URL, got ${name}`)
  return chatModel({ url: rest, fetch: (url, init) => tools.host.send(url, init), ...(key && { key }) })
}

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
    whitelist: Array.isArray(whitelist) ? textsIn(whitelist) : undefined,
    pins: isUnpinned ? ('unpinned' as const) : objectOf(pins),
    needs: [isText(command) ? 'shell' : 'network'],
  }
  const list = mcpTools(server, (notice) => say(visible(`${path}: ${withoutGranted(notice, grants)}`)))
  return isText(command) ? async () => (await list()).map((tool) => askingForFiles(tool, grants.work)) : list
}

const openTerminal = () => createInterface({ input: process.stdin, output: process.stderr })

/** Asks the user at the terminal, one question after the other. Without a terminal nobody confirms. */
export function confirmingAt(atEnd: Ending, open = openTerminal): (question: string) => Promise<boolean> {
  if (!process.stdin.isTTY) return async () => false
  const terminal = open()
  // A question that is open when the terminal closes would never end.
  const closed = new AbortController()
  terminal.on('close', () => closed.abort())
  atEnd(async () => terminal.close())
  let last: Promise<unknown> = Promise.resolve()
  return (question) => {
    const answer = last.then(async () =>
      /^y(?:es)?$/i.test((await terminal.question(`${visible(question)} [y/N] `, closed)).trim()),
    )
    last = answer.catch(() => false)
    return answer.catch(() => false)
  }
}
