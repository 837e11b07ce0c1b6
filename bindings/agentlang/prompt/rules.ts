import { placeholderRule } from '../../frame/placeholders.ts'
import type { Report, Rule } from '../../frame/subject.ts'
import { oneOf, quoted } from '../../text/words.ts'
import * as FINDINGS from '../findings.ts'
import { hiddenText, literalSecret, reportTwice } from '../words.ts'
import { sectionBreak } from './compile.ts'
import type { Prompt } from './subject.ts'
import { INJECTED, variablesIn } from './variables.ts'

const sectionTwice: Rule<Prompt> = {
  ...FINDINGS.SECTION_TWICE,
  check({ sections }, report) {
    const names = sections.map(({ name }) => name)
    reportTwice(names, 'section', report)
  },
}

const sectionBroken: Rule<Prompt> = {
  ...FINDINGS.SECTION_BREAK,
  check({ sections }, report) {
    const names = new Set(sections.map(({ name }) => name.value))
    for (const { content } of sections) {
      const broken = sectionBreak(content.value, names)
      if (broken !== undefined) report(content.pointer, `The content has ${quoted(broken)}, which ends the section`)
    }
  },
}

const promptVariable: Rule<Prompt> = {
  ...FINDINGS.PROMPT_VARIABLE,
  check: (prompt, report) => reportVariables(prompt, INJECTED, `Expected one of ${oneOf(INJECTED)}`, report),
}

/** Reports each variable that is not one of these, once a section. */
export function reportVariables({ sections }: Prompt, known: readonly string[], wanted: string, report: Report): void {
  for (const { content } of sections) {
    const names = new Set(variablesIn(content.value).map(({ name }) => name))
    for (const name of names)
      if (!known.includes(name)) report(content.pointer, `${wanted}, found the variable ${quoted(name)}`)
  }
}

const placeholder = placeholderRule<Prompt>(FINDINGS.PLACEHOLDER, [
  [['sections', '*', 'content'], 'what the agent does and how it answers'],
])

export const RULES: readonly Rule<Prompt>[] = [
  sectionTwice,
  sectionBroken,
  promptVariable,
  literalSecret,
  hiddenText,
  placeholder,
]
