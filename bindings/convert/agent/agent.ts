// Converts an agent of AgentLang into an agent definition. Members without a counterpart are kept in x_agentlang.

import { AGENT_FILE, LOCK_FILE } from '../../agentlang/files.ts'
import { Agent } from '../../agentlang/folder.ts'
import { folderOf } from '../../agentlang/folder-of.ts'
import { compile } from '../../agentlang/prompt/specification.ts'
import { COMMAND_PARAMETERS, commandFault, parametersOf } from '../../agentlang/run/contract.ts'
import { normalizeHost } from '../../policy/host.ts'
import {
  elements,
  escapeToken,
  isText,
  type JsonObject,
  member,
  objectMember,
  type PlacedObject,
} from '../../text/members.ts'
import { withoutSecrets } from '../../text/secret-shapes.ts'
import { GUARDS, writeTool } from '../adl-card/adl-card.ts'
import { skipSecrets } from '../adl-mcp/server.ts'
import { CONVERT_NEEDED } from '../findings.ts'
import { type Job, moveText, type Product, textOf } from '../job.ts'
import { equal, type MutableObject, put } from '../json.ts'
import { AGENT, foreignBaggage, type Ledger } from '../ledger.ts'
import { writeText } from '../sides/card.ts'
import { begin, finish, holdGuards, keeper, ToolNames } from '../sides/definition.ts'

type NamedObject = PlacedObject & { readonly name: string }

/** The main prompt of an agent. */
const PROMPT_FILE = 'prompt.yaml'

/** Makes a definition from an agent and its main prompt. */
export function agentToAdl(job: Job): Product {
  const { root, ledger, options } = job
  const agent = new Agent(job.document)
  const definition = begin(job, root, undefined)
  const provider: MutableObject = {}
  moveText(ledger, root, 'developer', provider, '/provider', 'name')
  const [model] = agent.named('models')
  const tools = writeTools(job, agent)
  const prompt = writePrompt(job, agent)
  Object.assign(definition, {
    ...(provider['name'] !== undefined && { provider }),
    ...(model && { model: writeModel(job, model) }),
    ...(prompt !== undefined && { system_prompt: prompt }),
    ...(tools.length > 0 && { tools }),
    ...writePermissions(job, agent),
  })
  for (const server of agent.named('mcp_servers')) skipSecrets(server, job)
  dropFiles(agent, ledger, 'a definition describes one agent, without its other files', [PROMPT_FILE])
  const document = finish(job, definition)
  return { document, baggage: foreignBaggage(options, [['', keeper(document, '', AGENT)]]) }
}

const MODEL_OPTIONS: readonly (readonly [name: string, least: number, most: number])[] = [
  ['temperature', 0, 2],
  ['max_tokens', 1, Number.POSITIVE_INFINITY],
]

/** Writes the first model, which is the default. */
function writeModel({ ledger }: Job, model: NamedObject): MutableObject {
  const made: MutableObject = { name: model.name }
  ledger.added('/model/name', 'the name of the first model')
  moveText(ledger, model, 'provider', made, '/model')
  const settings = objectMember(model, 'options')
  for (const [name, least, most] of MODEL_OPTIONS) {
    const value = member(settings?.value, name)
    if (typeof value !== 'number' || value < least || value > most) continue
    made[name] = value
    ledger.moved(`${settings!.pointer}/${name}`, `/model/${name}`)
  }
  return made
}

/** Compiles the main prompt. Without a folder, an agent has none. */
function writePrompt({ ledger }: Job, agent: Agent): string | undefined {
  const prompt = folderOf(agent)?.prompts.find(({ path }) => path === PROMPT_FILE)
  if (prompt === undefined) return undefined
  const { text, role } = prompt.subject === undefined ? { text: '', role: '' } : compile(prompt.subject, {})
  if (text === '') {
    ledger.file(PROMPT_FILE, 'it cannot be read, or has no sections')
    return undefined
  }
  const detail = role === 'system' ? 'as Markdown' : `as Markdown; its role was ${role}`
  ledger.file(PROMPT_FILE, detail, '/system_prompt', role === 'system' ? 'renamed' : 'changed')
  return text
}

function writeTools(job: Job, agent: Agent): readonly MutableObject[] {
  const names = new ToolNames()
  const listed = agent.tools.flatMap((tool) => {
    const name = member(tool.value, 'name')
    return isText(name) && name !== '' ? [{ name, tool }] : []
  })
  const made = listed.map((named, i) => {
    const tool = writeTool(named, names, `/tools/${i}`, job.ledger)
    holdGuards(job, named.tool, GUARDS, tool, `/tools/${i}`)
    return tool
  })
  const write = (tool: NamedObject, parameters: JsonObject) =>
    made.push(writeCall(job, tool, names.nameFor(tool.name), parameters, `/tools/${made.length}`))
  for (const tool of agent.named('http_tools')) write(tool, parametersOf(tool.value))
  for (const tool of agent.named('bash_tools')) write(tool, COMMAND_PARAMETERS)
  return made
}

/** Writes a tool that is one request or one command; how it is called is carried along. */
function writeCall(
  { ledger }: Job,
  tool: NamedObject,
  name: string,
  parameters: JsonObject,
  at: string,
): MutableObject {
  const made: MutableObject = { name }
  ledger.added(`${at}/name`, `the name of ${tool.pointer}`)
  writeText(ledger, tool, 'description', made, at, tool.name, 'its name, because the tool has no description')
  made['parameters'] = parameters
  if (Object.hasOwn(tool.value, 'params')) ledger.shown(`${tool.pointer}/params`, `${at}/parameters`, 'as JSON Schema')
  else ledger.added(`${at}/parameters`, 'the arguments of a call')
  return made
}

/** Reports the other files of an agent, which the result does not have. */
function dropFiles(agent: Agent, ledger: Ledger, why: string, used: readonly string[] = []): void {
  const folder = folderOf(agent)
  if (folder === undefined) return
  const lock = folder.lock === undefined ? [] : [LOCK_FILE]
  for (const path of [...folder.paths, ...lock]) if (path !== AGENT_FILE && !used.includes(path)) ledger.file(path, why)
}

// The constraints and commands of an agent as permissions of a definition, which denies everything else. The definition
// never grants more than the agent asks for: an entry that ADL cannot say as narrowly is not granted.

/** Makes `permissions` and `runtime`, where the agent has something for them. */
function writePermissions({ root, ledger }: Job, agent: Agent): MutableObject {
  const constraints = objectMember(root, 'constraints')
  const sandbox = objectMember(constraints, 'sandbox')
  const seconds = moveTime(ledger, objectMember(constraints, 'limits'), 'timeout', [
    '/permissions/resource_limits/max_duration_sec',
    1,
  ])
  const milliseconds = moveTime(ledger, sandbox, 'max_exec_time', ['/runtime/tool_invocation/timeout_ms', 1000])
  const hosts = hostsOf(ledger, sandbox)
  const commands = commandsOf(ledger, agent)
  const permissions = {
    ...(hosts.length > 0 && {
      network: { allowed_hosts: hosts, allowed_ports: [443], allowed_protocols: ['https'] },
    }),
    ...(commands.length > 0 && { execution: { allowed_commands: commands } }),
    ...(seconds !== undefined && { resource_limits: { max_duration_sec: seconds } }),
  }
  return {
    ...(Object.keys(permissions).length > 0 && { permissions }),
    ...(milliseconds !== undefined && { runtime: { tool_invocation: { timeout_ms: milliseconds } } }),
  }
}

function moveTime(
  ledger: Ledger,
  of: PlacedObject | undefined,
  name: string,
  [target, factor]: readonly [string, number],
): number | undefined {
  const value = member(of?.value, name)
  const time = Number(value) * factor
  if (typeof value !== 'number' || time <= 0 || !Number.isSafeInteger(time)) return undefined
  if (factor === 1) ledger.moved(`${of!.pointer}/${name}`, target)
  else ledger.shown(`${of!.pointer}/${name}`, target, 'in milliseconds')
  return time
}

/** The hosts of the URLs that allow a whole host by HTTPS. */
function hostsOf(ledger: Ledger, sandbox: PlacedObject | undefined): readonly string[] {
  const hosts: string[] = []
  for (const { value, pointer } of elements(sandbox, 'allowed_urls', isText)) {
    const [, star = '', name = ''] = /^https:\/\/(\*\.)?([^/:@?#*]+)\/?$/.exec(value) ?? []
    const host = normalizeHost(name)
    if (host === undefined) continue
    ledger.shown(pointer, `/permissions/network/allowed_hosts/${hosts.length}`, 'its host')
    hosts.push(star + host)
  }
  return hosts
}

/** The commands that are one program, with any arguments and without a shell. */
function commandsOf(ledger: Ledger, agent: Agent): readonly string[] {
  const commands: string[] = []
  for (const { value, pointer } of agent.named('bash_tools')) {
    const command = member(value, 'command')
    if (!isText(command) || command.includes(' ') || commandFault(command) !== undefined) continue
    const known = commands.indexOf(command)
    const at = known < 0 ? commands.push(command) - 1 : known
    ledger.shown(`${pointer}/command`, `/permissions/execution/allowed_commands/${at}`, 'as it is')
  }
  return commands
}

// Converts the servers of an agent of AgentLang into the configuration of an MCP client.

const HOMELESS = 'a client configuration only says how to reach a server'
const VARIABLE = /\{\{\s*\.?env\.(\w{1,256})\s*\}\}/g
/** How clients call the transports. */
const TYPES = new Map([
  ['stdio', 'stdio'],
  ['http', 'http'],
  ['streamable-http', 'http'],
  ['sse', 'sse'],
])

/** Makes the configuration that starts the servers of an agent. Clients fill in variables. */
export function agentToClient(job: Job): Product {
  const { ledger, problems } = job
  const agent = new Agent(job.document)
  const servers = agent.named('mcp_servers')
  if (servers.length === 0) problems.report(CONVERT_NEEDED, '', 'expected mcp_servers with a server')
  const mcpServers: MutableObject = {}
  for (const { name, ...server } of servers)
    put(mcpServers, name, writeServer(job, server, `/mcpServers/${escapeToken(name)}`))
  dropFiles(agent, ledger, HOMELESS)
  return { document: { mcpServers }, baggage: { carriers: new Map(), withheld: [], homeless: HOMELESS } }
}

function writeServer({ ledger }: Job, server: PlacedObject, at: string): MutableObject {
  const entry: MutableObject = {}
  const transport = textOf(server, 'transport')
  const type = transport === undefined ? undefined : TYPES.get(transport)
  if (type !== undefined) {
    entry['type'] = type
    ledger.rewritten(`${server.pointer}/transport`, `${at}/type`, 'as clients call it')
  } else if (textOf(server, 'url') !== undefined) {
    entry['type'] = 'http'
    ledger.added(`${at}/type`, 'the server has a URL')
  }
  for (const name of ['command', 'args', 'cwd', 'url']) {
    const value = member(server.value, name)
    if (value === undefined) continue
    const filled = Array.isArray(value) ? value.map(withVariables) : withVariables(value)
    const [pointer, target] = [`${server.pointer}/${name}`, `${at}/${name}`]
    entry[name] = filled
    if (equal(filled, value)) ledger.moved(pointer, target)
    else ledger.changed(pointer, target, 'with variables of the client, and a star for each character of a secret')
  }
  for (const name of ['env', 'headers']) {
    const values = writeValues(ledger, objectMember(server, name), `${at}/${name}`)
    if (Object.keys(values).length > 0) entry[name] = values
  }
  return entry
}

const inClientForm = (text: string) => text.replace(VARIABLE, (_, name) => `\${${name}}`)
const withVariables = (value: unknown) => (isText(value) ? withoutSecrets(inClientForm(value)) : value)

/** Writes the values that are variables alone: any other value may be a secret. */
function writeValues(ledger: Job['ledger'], of: PlacedObject | undefined, at: string): MutableObject {
  const made: MutableObject = {}
  for (const [name, value] of Object.entries(of?.value ?? {})) {
    const token = escapeToken(name)
    if (isText(value) && value !== '' && /^(?:Bearer )?$/.test(value.replace(VARIABLE, ''))) {
      put(made, name, inClientForm(value))
      ledger.rewritten(`${of!.pointer}/${token}`, `${at}/${token}`, 'as a variable of the client')
    } else ledger.dropped(`${of!.pointer}/${token}`, 'may hold secrets (ADL 18.2)')
  }
  return made
}
