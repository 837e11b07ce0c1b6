import { bodyOf, hasOpenFrontMatter } from '../../document/front-matter.ts'
import { type Reading, RootSubject, rule } from '../../frame/subject.ts'
import { isText, member, textMember } from '../../text/members.ts'
import { REVOKE_SECRET, secretIn } from '../../text/secret-shapes.ts'
import { counted, isLonger, quoted } from '../../text/words.ts'
import * as FINDINGS from '../findings.ts'
import { ROOT_OBJECT } from '../findings.ts'
import { hiddenIn, hiddenText, literalSecret, specificationOf } from '../words.ts'
import schema from './schema.json' with { type: 'json' }

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

  get body(): string {
    return new TextDecoder().decode(bodyOf(this.document))
  }
}

export const SKILL_READING: Reading<Skill> = {
  kind: 'skill',
  rootObject: ROOT_OBJECT,
  subject: (document) => new Skill(document),
}

// Skills (agentskills.io) as a specification of the frame.

const LONGEST = { name: 64, description: 1024, compatibility: 500 }

export const SKILL = specificationOf(SKILL_READING, schema, [
  /** The folder is known only if the file has a path. Other letters have a finding of their own. */
  rule(FINDINGS.SKILL_NAME, ({ document, root, name }, report) => {
    const folder = /(?:^|[/\\])([^/\\]+)[/\\][^/\\]+$/.exec(document.file ?? '')?.[1]
    if (name !== undefined && /^[a-z0-9-]+$/.test(name) && folder !== undefined && folder !== name)
      report(`${root.pointer}/name`, `Expected ${quoted(folder)}, the name of the folder, found ${quoted(name)}`)
  }),
  rule(FINDINGS.SKILL_LENGTH, ({ root }, report) => {
    for (const [name, most] of Object.entries(LONGEST)) {
      const text = textMember(root, name)
      if (text !== undefined && isLonger(text.value, most))
        report(text.pointer, `Expected ${most} characters at most, found ${[...text.value].length}`)
    }
  }),
  rule(FINDINGS.FRONT_MATTER_END, ({ document }, report) => {
    if (hasOpenFrontMatter(document)) report('', 'No line --- ends the front matter')
  }),
  literalSecret,

  /** The body has no pointers, so its findings are at the front matter. */
  rule(FINDINGS.LITERAL_SECRET, ({ body }, report) => {
    const what = body
      .split(/\s+/)
      .map(secretIn)
      .find((found) => found !== undefined)
    if (what !== undefined) report('', `The text after the front matter has ${what}`, { fix: REVOKE_SECRET })
  }),
  hiddenText,
  rule(FINDINGS.HIDDEN_TEXT, ({ body }, report) => {
    const count = hiddenIn(body)
    if (count > 0) report('', `The text after the front matter has ${counted(count, 'hidden character')}`)
  }),
])
