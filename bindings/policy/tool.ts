import type { PlacedValue } from '../text/members.ts'
import { quoted } from '../text/words.ts'
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
export type Tools = ReadonlyMap<string, Tool>

export function judgeTool(tools: Tools) {
  return ({ name, confirmed }: ToolRequest, trace: Trace | undefined): boolean => {
    const tool = tools.get(name)
    if (tool === undefined) {
      trace?.denied('tool', `the agent has no tool ${quoted(name)}`)
      return false
    }
    const { pointer, confirmation, fault, sensitivity } = tool
    if (fault !== undefined) {
      trace?.denied('tool', `${quoted(name)}: ${fault}`, pointer)
      return false
    }
    trace?.granted('tool', `the agent has the tool ${quoted(name)}`, pointer)
    if (sensitivity !== undefined) {
      const { value, pointer: where } = sensitivity
      trace?.passed('classification', `what the tool handles is classified as ${quoted(value)}`, where)
    }
    if (confirmation === undefined) return true
    if (confirmed !== true) {
      trace?.denied('confirmation', `${quoted(name)} requires confirmation, and nobody has confirmed it`, confirmation)
      return false
    }
    trace?.passed('confirmation', `${quoted(name)} requires confirmation, and has it`, confirmation)
    return true
  }
}
