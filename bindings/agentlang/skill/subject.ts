import { bodyOf } from '../../document/parse-text.ts'
import { type Reading, RootSubject } from '../../frame/subject.ts'
import { isText, member, textMember } from '../../text/members.ts'
import { ROOT_OBJECT } from '../findings.ts'

/** A skill as rules and verbs read it. */
export class Skill extends RootSubject {
  get name(): string | undefined {
    return textMember(this.root, 'name')?.value
  }

  /** The only tools while it is active, as a list or as words: `Bash(git:*)` is one word. Undefined: no restriction. */
  get allowedTools(): readonly string[] | undefined {
    const allowed = member(this.root.value, 'allowed-tools')
    if (Array.isArray(allowed)) return allowed.filter(isText)
    return isText(allowed) ? (allowed.match(/[^\s,()]+(?:\([^()]*\))?/g) ?? []) : undefined
  }

  /** The instructions after the front matter. */
  get body(): string {
    return new TextDecoder().decode(bodyOf(this.document))
  }
}

export const SKILL_READING: Reading<Skill> = {
  kind: 'skill',
  rootObject: ROOT_OBJECT,
  subject: (document) => new Skill(document),
}
