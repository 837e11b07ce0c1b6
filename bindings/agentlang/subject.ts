import type { Files } from '../document/types.ts'
import { type Reading, RootSubject } from '../frame/subject.ts'
import { elements, isObject, member, objectMember, objectsIn, type PlacedObject, textMember } from '../text/members.ts'
import { ROOT_OBJECT } from './findings.ts'

/** An agent as rules and verbs read it: only the members that are present and have the right type. */
export class Agent extends RootSubject {
  /** The files of its folder, unless the source was agent.yaml alone. */
  readonly files: Files | undefined = this.document.files

  get name(): string | undefined {
    return textMember(this.root, 'name')?.value
  }

  get(name: string): unknown {
    return member(this.root.value, name)
  }

  part(name: string): PlacedObject | undefined {
    return objectMember(this.root, name)
  }

  get tools(): readonly PlacedObject[] {
    return elements(this.root, 'tools', isObject)
  }

  /** The members of a mapping from names to objects, such as `http_tools`. */
  named(name: string): ReturnType<typeof objectsIn> {
    return objectsIn(this.part(name))
  }

  /** The tool `delegate`, if it lets a model choose sub-agents. */
  get dynamicDelegate(): PlacedObject | undefined {
    const tool = this.tools.find(({ value }) => member(value, 'name') === 'delegate')
    return member(objectMember(tool, 'config')?.value, 'mode') === 'static' ? undefined : tool
  }

  /** The agents of a fixed sequence. */
  get staticAgents(): readonly PlacedObject[] {
    return elements(objectMember(this.root, 'delegate'), 'agents', isObject)
  }
}

export const AGENT_READING: Reading<Agent> = {
  kind: 'agentlang',
  rootObject: ROOT_OBJECT,
  subject: (document) => new Agent(document),
}
