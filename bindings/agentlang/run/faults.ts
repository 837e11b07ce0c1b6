import {
  elements,
  escapeToken,
  isObject,
  isText,
  member,
  objectMember,
  objectOf,
  objectsIn,
  type PlacedObject,
} from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import type { FunctionFault } from '../files.ts'
import { TABLE_TOOLS, type ToolNames, toolNames } from '../tool-names.ts'
import { budgetFault, inheritsModel } from './budget.ts'
import { actionsOf, isSystemTool } from './components.ts'
import { commandFault, ddl, endpointFault } from './contract.ts'
import { planOrchestration, type Specialist } from './crew.ts'
import { parseTemplate, type Reference, type Template } from './template.ts'

const MOST_DEPTH = 64
const RESULT: ReadonlySet<unknown> = new Set(['json', 'error', 'params'])

/** The faults of an agent that are found without running it. The names of specialists may differ from their files. */
export function functionFaults(
  root: PlacedObject,
  specialists: readonly Specialist[] = [],
  isRoot = true,
): readonly FunctionFault[] {
  const agent = root.value
  const faults: FunctionFault[] = [...planOrchestration(agent, specialists).faults]
  const budget = budgetFault(objectOf(member(agent, 'constraints')), !isRoot && inheritsModel(agent))
  if (budget !== undefined) faults.push(budget)
  for (const tool of elements(root, 'tools', isObject)) {
    const config = objectMember(tool, 'config')
    if (config === undefined || !TABLE_TOOLS.includes(member(tool.value, 'name') as string)) continue
    for (const { pointer, message } of ddl(config.value).faults)
      faults.push({ rule: 'tool-tables', pointer: `${config.pointer}${pointer}`, detail: message })
  }
  const named = (name: string) => objectsIn(objectMember(root, name))
  for (const { value, pointer } of named('bash_tools')) {
    const command = member(value, 'command')
    const detail = typeof command === 'string' ? commandFault(command) : undefined
    if (detail !== undefined) faults.push({ rule: 'bash-command', pointer: `${pointer}/command`, detail })
  }
  for (const { value, pointer } of named('mcp_servers'))
    for (const one of templateFaults(member(value, 'env'), `${pointer}/env`, new Set(['env']))) faults.push(one)
  const tools = toolNames(agent)
  for (const { value, pointer } of named('ui_components'))
    for (const one of actionFaults(tools, value, pointer)) faults.push(one)
  for (const tool of named('http_tools')) {
    const detail = isText(member(tool.value, 'endpoint')) ? endpointFault(tool.value) : undefined
    if (detail !== undefined) faults.push({ rule: 'http-endpoint', pointer: `${tool.pointer}/endpoint`, detail })
    const names = new Set(['env', ...Object.keys(objectOf(member(tool.value, 'params')))])
    for (const one of templateFaults(member(tool.value, 'body_template'), `${tool.pointer}/body_template`, names))
      faults.push(one)
    for (const { value, pointer } of objectsIn(objectMember(tool, 'ui_component'))) {
      for (const one of templateFaults(member(value, 'props'), `${pointer}/props`, RESULT)) faults.push(one)
      for (const one of actionFaults(tools, member(value, 'actions'), `${pointer}/actions`)) faults.push(one)
    }
  }
  return faults
}

function actionFaults({ all, isOpen }: ToolNames, source: unknown, pointer: string): readonly FunctionFault[] {
  const { sync, other } = actionsOf(source)
  const faults: FunctionFault[] = []
  for (const [group, actions] of Object.entries({ sync_actions: sync, agent_actions: other })) {
    for (const [name, action] of Object.entries(actions)) {
      const place = `${pointer}/${group}/${escapeToken(name)}`
      const tool = member(objectOf(action), 'tool')
      if (actions === other && tool !== undefined) {
        faults.push({ rule: 'action-both', pointer: `${place}/tool`, detail: 'an agent action has no tool' })
      }
      if (actions === sync && Object.hasOwn(other, name)) {
        faults.push({ rule: 'action-both', pointer: place, detail: `${quoted(name)} is also an agent action` })
      }
      if (actions === sync && typeof tool === 'string' && !isOpen && !all.has(tool) && !isSystemTool(tool)) {
        faults.push({ rule: 'action-tool', pointer: `${place}/tool`, detail: `the agent has no tool ${quoted(tool)}` })
      }
      for (const one of templateFaults(member(objectOf(action), 'params'), `${place}/params`)) faults.push(one)
    }
  }
  return faults
}

/** The faults of all templates in a value; with `names`, also the first reference to other data. */
function templateFaults(
  value: unknown,
  pointer: string,
  names?: ReadonlySet<unknown>,
  depth = 0,
): readonly FunctionFault[] {
  if (depth > MOST_DEPTH) return []
  if (Array.isArray(value)) return value.flatMap((item, i) => templateFaults(item, `${pointer}/${i}`, names, depth + 1))
  if (isObject(value)) {
    return Object.keys(value).flatMap((name) =>
      templateFaults(value[name], `${pointer}/${escapeToken(name)}`, names, depth + 1),
    )
  }
  if (typeof value !== 'string') return []
  const nodes = parseTemplate(value)
  if ('message' in nodes)
    return [{ rule: 'template-tag', pointer, detail: `${nodes.message}, at character ${nodes.offset + 1}` }]
  const unknown = names && referencesOf(nodes).find(({ path }) => !names.has(path[0]))
  return unknown ? [{ rule: 'template-name', pointer, detail: `${quoted(unknown.source)} never has a value here` }] : []
}

const referencesOf = (nodes: readonly Template.Node[]): readonly Reference[] =>
  nodes.flatMap((node) => {
    if (typeof node === 'string') return []
    return 'path' in node ? [node] : [node.test, ...referencesOf(node.whenTrue), ...referencesOf(node.whenFalse)]
  })
