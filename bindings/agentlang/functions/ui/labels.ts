import { visible } from '../../../text/hidden.ts'
import { member, objectOf } from '../../../text/members.ts'
import { cut } from '../../../text/words.ts'

const LONGEST_LABEL = 120

export interface LabelSources {
  /** The content of ux.yaml. */
  readonly ux?: unknown
  /** The tool's own definition. */
  readonly tool?: unknown
  /** The MCP server of the tool. */
  readonly server?: string
}

/** What to show while a tool runs and after it: from ux.yaml, otherwise from the tool, otherwise its name. */
export function labelsOf(name: string, { ux, tool, server }: LabelSources = {}) {
  const hints = objectOf(ux)
  const group = server === undefined ? member(hints, 'tools') : member(objectOf(member(hints, 'mcp_tools')), server)
  const sources = [member(objectOf(group), name), tool].map((source) => objectOf(member(objectOf(source), 'labels')))
  const words = name.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()
  const label = (state: 'running' | 'finished') => {
    const found = sources.map((labels) => member(labels, state)).find((text) => typeof text === 'string' && text !== '')
    const text = (found as string | undefined) ?? (words === '' ? name : words[0]!.toUpperCase() + words.slice(1))
    return visible(cut(text, LONGEST_LABEL))
  }
  return { running: label('running'), finished: label('finished') }
}
