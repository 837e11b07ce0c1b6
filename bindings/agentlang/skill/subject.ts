import type { Document } from '../../document/document.ts'
import { bodyOf } from '../../document/parse-text.ts'
import { objectAtRoot, type Reading } from '../../frame/subject.ts'
import { isText, member, type PlacedObject, textMember } from '../../text/members.ts'
import { ROOT_OBJECT } from '../findings.ts'

/** A skill as rules and verbs read it. */
export class Skill {
  readonly document: Document
  readonly root: PlacedObject

  constructor(document: Document) {
    this.document = document
    this.root = objectAtRoot(document)
  }

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
