// The agents of a run: the root and its sub-agents, each with its prompt and its skills.

import { AGENT_FILE, type Agent, folderOf } from '../../agentlang/folder.ts'
import type { Specialist } from '../../agentlang/functions/crew/plan.ts'
import type { Prompt } from '../../agentlang/prompt/prompt.ts'
import type { Skill } from '../../agentlang/skill/specification.ts'
import { elements, isObject, isText, type JsonObject, member, objectOf } from '../../text/members.ts'

export interface CrewMember {
  /** Its name, otherwise its path: the `agent_id` of its messages. */
  readonly id: string
  /** Relative to the folder: `agent.yaml`, `specialists/market-analyst.yaml`. */
  readonly path: string
  readonly agent: Agent
  /** The content of its file. */
  readonly value: JsonObject
  readonly prompt: Prompt | undefined
  readonly skills: readonly Skill[]
}

/** The root first. Sub-agents that cannot be read are missing. */
export function crewOf(agent: Agent): readonly CrewMember[] {
  const folder = folderOf(agent)
  const memberOf = (path: string, one: Agent): CrewMember => {
    const own = path === AGENT_FILE ? 'prompt.yaml' : path.replace(/\.ya?ml$/, '-prompt.yaml')
    const named = new Set(elements(one.root, 'skills', isObject).map(({ value }) => member(value, 'name')))
    return {
      id: one.name ?? path,
      path,
      agent: one,
      value: one.root.value,
      prompt: folder?.prompts.find(({ path }) => path === own)?.subject,
      skills: folder?.skills.flatMap(({ subject }) => (named.has(subject?.name) ? [subject!] : [])) ?? [],
    }
  }
  const others = folder?.subAgents.flatMap(({ path, subject }) => (subject ? [memberOf(path, subject)] : [])) ?? []
  return [memberOf(AGENT_FILE, agent), ...others]
}

export const specialistsOf = (crew: readonly CrewMember[]): readonly Specialist[] =>
  crew.map(({ path, value }) => ({ path, agent: value }))

/** The only tools that active skills leave; undefined if one of them restricts nothing. Several allow the union. */
export function allowedBySkills({ skills }: CrewMember): ReadonlySet<string> | undefined {
  const lists = skills.map(({ allowedTools }) => allowedTools)
  return lists.length === 0 || lists.includes(undefined) ? undefined : new Set(lists.flatMap((list) => list ?? []))
}

/** The model that an agent names first, or that of the agent above it. */
export function modelOf({ value }: Pick<CrewMember, 'value'>, parent: NamedModel = NO_MODEL): NamedModel {
  const [first] = Object.entries(objectOf(member(value, 'models')))
  if (first === undefined) return parent
  const { provider, options } = objectOf(first[1])
  return { model: first[0], provider: isText(provider) ? provider : undefined, options: objectOf(options) }
}

export interface NamedModel {
  readonly model: string | undefined
  readonly provider: string | undefined
  readonly options: JsonObject
}

const NO_MODEL: NamedModel = { model: undefined, provider: undefined, options: {} }
