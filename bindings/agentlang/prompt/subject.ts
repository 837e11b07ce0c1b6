import { type Reading, RootSubject } from '../../frame/subject.ts'
import { elements, isObject, member, type PlacedValue, textMember } from '../../text/members.ts'
import { ROOT_OBJECT } from '../findings.ts'

interface Section {
  readonly name: PlacedValue<string>
  readonly content: PlacedValue<string>
}

/** A prompt as rules and verbs read it. */
export class Prompt extends RootSubject {
  /** The sections that have a name and a content. */
  readonly sections: readonly Section[] = elements(this.root, 'sections', isObject).flatMap((section) => {
    const [name, content] = [textMember(section, 'name'), textMember(section, 'content')]
    return name === undefined || content === undefined ? [] : [{ name, content }]
  })

  get role(): unknown {
    return member(this.root.value, 'role')
  }
}

export const PROMPT_READING: Reading<Prompt> = {
  kind: 'prompt',
  rootObject: ROOT_OBJECT,
  subject: (document) => new Prompt(document),
}
