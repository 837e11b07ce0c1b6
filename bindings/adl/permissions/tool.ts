import { member, type PlacedObject, type PlacedValue, textMember } from '../../text/members.ts'
import { quoted } from '../../text/words.ts'
import type { Agent } from '../agent.ts'
import { classificationOf } from '../classification.ts'
import type { ToolRequest } from './request.ts'
import type { Trace } from './trace.ts'

export interface Tool {
  readonly pointer: string
  /** The place that requires a confirmation; undefined when none is required. */
  readonly confirmation: string | undefined
  /** The reason that it must not be called at all. */
  readonly fault: string | undefined
  readonly sensitivity: PlacedValue<string> | undefined
}

/** The tools by name. Tools without a name cannot be called. */
export function readTools(agent: Agent): ReadonlyMap<string, Tool> {
  const tools = new Map<string, Tool>()
  for (const tool of agent.tools) {
    const name = textMember(tool, 'name')
    if (name === undefined) continue
    const twice = tools.has(name.value) ? 'two tools have this name' : undefined
    tools.set(name.value, readTool(agent, tool, twice))
  }
  return tools
}

function readTool(agent: Agent, tool: PlacedObject, twice: string | undefined): Tool {
  const asks = member(tool.value, 'requires_confirmation') ?? false
  const odd = typeof asks === 'boolean' ? undefined : 'requires_confirmation is neither true nor false'
  return {
    pointer: tool.pointer,
    confirmation: asks === false ? undefined : `${tool.pointer}/requires_confirmation`,
    fault: twice ?? odd,
    sensitivity: textMember(classificationOf(agent.document, tool.pointer), 'sensitivity'),
  }
}

export function judgeTool(agent: Agent) {
  const tools = readTools(agent)

  return ({ name, confirmed }: ToolRequest, trace: Trace | undefined): boolean => {
    const tool = tools.get(name)
    if (tool === undefined) {
      trace?.denied('ADL 8.1', `the agent has no tool ${quoted(name)}`)
      return false
    }
    const { pointer, confirmation, fault, sensitivity } = tool
    if (fault !== undefined) {
      trace?.denied('ADL 8.1', `${quoted(name)}: ${fault}`, pointer)
      return false
    }
    trace?.granted('ADL 8.1', `the agent has the tool ${quoted(name)}`, pointer)
    if (sensitivity !== undefined) {
      const { value, pointer: where } = sensitivity
      trace?.passed('ADL 10.4', `what the tool handles is classified as ${quoted(value)}`, where)
    }
    if (confirmation === undefined) return true
    if (confirmed !== true) {
      trace?.denied('ADL 18.12', `${quoted(name)} requires confirmation, and nobody has confirmed it`, confirmation)
      return false
    }
    trace?.passed('ADL 18.12', `${quoted(name)} requires confirmation, and has it`, confirmation)
    return true
  }
}
