// Converts an agent of AgentLang into an agent definition. Members without a counterpart are kept in x_agentlang.
import { Agent, folderOf } from '../../agentlang/folder.ts'
import { COMMAND_PARAMETERS, parametersOf } from '../../agentlang/functions/tools/contract.ts'
import { compile } from '../../agentlang/prompt/prompt.ts'
import { isText, type JsonObject, member, objectMember, type PlacedObject } from '../../text/members.ts'
import { GUARDS, writeTool } from '../adl-card/from-card.ts'
import { skipSecrets } from '../adl-mcp/client.ts'
import { AGENT, foreignBaggage } from '../baggage.ts'
import { type Job, moveText, type Product } from '../job.ts'
import type { MutableObject } from '../json.ts'
import { writeText } from '../sides/card.ts'
import { begin, finish, holdGuards, keeper, ToolNames } from '../sides/definition.ts'
import { dropFiles } from './files.ts'
import { writePermissions } from './permissions.ts'

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
