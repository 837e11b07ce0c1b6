// Converts the servers of an agent of AgentLang into the configuration of an MCP client.
import { Agent } from '../../agentlang/folder.ts'
import { escapeToken, isText, member, objectMember, type PlacedObject } from '../../text/members.ts'
import { withoutSecrets } from '../../text/secret-shapes.ts'
import { CONVERT_NEEDED } from '../findings.ts'
import { type Job, type Product, textOf } from '../job.ts'
import { equal, type MutableObject, put } from '../json.ts'
import { dropFiles } from './files.ts'

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
