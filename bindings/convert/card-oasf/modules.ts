// Writes the modules of a record, which say how to reach the agent by A2A or MCP.
import { LISTS } from '../../mcp/messages.ts'
import { elements, isObject, member, objectMember, type PlacedObject } from '../../text/members.ts'
import { cardToA2a } from '../card-a2a/to-a2a.ts'
import { cardToMcp } from '../card-mcp/to-bundle.ts'
import type { Job } from '../job.ts'
import type { MutableObject } from '../json.ts'
import { Ledger } from '../ledger.ts'
import { Problems } from '../problems.ts'
import { keptOf, toolsOf } from '../sides/card.ts'
import { isEntry } from '../sides/server-schema.ts'

export const A2A_MODULE = 'integration/a2a'
export const MCP_MODULE = 'integration/mcp'

/**
 * Writes the A2A card of an agent that speaks A2A, or else its tools if the URL of an MCP server is known; and the
 * modules of the original record.
 */
export function writeModules(job: Job, record: MutableObject, kept: PlacedObject | undefined): void {
  const { root, ledger } = job
  const modules: MutableObject[] = []
  const own = ownModule(job)
  if (own !== undefined) {
    modules.push(own)
    ledger.added('/modules/0', own['name'] === A2A_MODULE ? 'the A2A card of the agent' : 'the MCP server of the agent')
    const at = own['name'] === A2A_MODULE ? '/modules/0/data/card_data/skills' : '/modules/0/data/tools'
    for (const { tool } of toolsOf(root).tools)
      for (const name of ['name', 'description'])
        if (member(tool.value, name) !== undefined) ledger.shown(`${tool.pointer}/${name}`, at)
  }
  for (const { value } of elements(kept, 'modules', isObject))
    if (typeof member(value, 'name') === 'string' && value['name'] !== own?.['name'])
      modules.push(value as MutableObject)
  if (modules.length > 0) record['modules'] = modules
}

function ownModule(job: Job): MutableObject | undefined {
  const { root, options } = job
  const bare: Job = {
    ...job,
    // Not a copy, so that the outer conversion notices which options are read.
    options: Object.create(options, { carry: { value: 'nothing' } }),
    ledger: new Ledger(undefined),
    problems: new Problems(),
  }
  const { document: card } = cardToA2a(bare, '1.0')
  if (!bare.problems.fatal) return { name: A2A_MODULE, data: { card_schema_version: 'v1.0.0', card_data: card } }
  const { document } = cardToMcp(bare, '2025-11-25')
  const tools = objectMember({ pointer: '', value: document }, LISTS.tools)
  const remotes = elements(keptOf(root, 'mcp-server'), 'remotes', isObject).filter(({ value }) =>
    isEntry('remote', value),
  )
  if (tools === undefined || remotes.length === 0) return undefined
  const connections = remotes.map(({ value: { type, url } }) => ({ type, url }))
  return { name: MCP_MODULE, data: { name: root.value['name'], connections, tools: tools.value['tools'] } }
}
