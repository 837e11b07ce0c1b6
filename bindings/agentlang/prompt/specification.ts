// Prompts as models read them: Markdown or XML tags. Content is copied to the letter, so what is compiled can be read
// back, unless a content looks like the end of its section.
import { placeholderRule } from '../../frame/placeholders.ts'
import { type Reading, type Report, RootSubject, type Rule, rule } from '../../frame/subject.ts'
import { elements, isObject, member, type PlacedValue, textMember } from '../../text/members.ts'
import { oneOf, quoted } from '../../text/words.ts'
import * as FINDINGS from '../findings.ts'
import { ROOT_OBJECT } from '../findings.ts'
import { hiddenText, literalSecret, reportTwice, specificationOf } from '../words.ts'
import schema from './schema.json' with { type: 'json' }

export interface CompileOptions {
  readonly target?: sectionsIn.Target
  /** Values of variables; a variable without one is left as it is written. */
  readonly variables?: Readonly<Record<string, string>>
  /** Counts the tokens of a text. */
  readonly tokens?: (text: string) => number
}

export interface CompiledSection {
  readonly name: string
  /** In UTF-8. */
  readonly bytes: number
  readonly tokens?: number
}

export interface CompiledPrompt {
  readonly role: string
  readonly text: string
  readonly sections: readonly CompiledSection[]
  /** Variables without a value. */
  readonly unresolved: readonly string[]
}

export declare namespace sectionsIn {
  /** A section as it is written in a compiled prompt. */
  interface Section {
    readonly name: string
    readonly content: string
  }

  type Target = 'markdown' | 'xml'
}

const encoder = new TextEncoder()

/** Compiles the sections of a prompt. */
export function compile(
  prompt: Prompt,
  { target = 'markdown', variables = {}, tokens }: CompileOptions,
): CompiledPrompt {
  if (target !== 'markdown' && target !== 'xml')
    throw new RangeError(`target: expected "markdown" or "xml", got ${String(target)}`)
  const unresolved = new Set<string>()
  const sections = prompt.sections.map(({ name, content }) => {
    return { name: name.value, content: filledIn(withoutLastLineEnd(content.value), [variables, target], unresolved) }
  })
  const written = sections.map((section) => writeSection(section, target))
  return {
    role: typeof prompt.role === 'string' ? prompt.role : 'system',
    text: written.map((text) => `${text}\n`).join('\n'),
    sections: sections.map(({ name }, i) => {
      const size = { name, bytes: encoder.encode(written[i]).length }
      return tokens === undefined ? size : { ...size, tokens: tokens(written[i]!) }
    }),
    unresolved: [...unresolved],
  }
}

const writeSection = ({ name, content }: sectionsIn.Section, target: sectionsIn.Target) =>
  target === 'markdown' ? `## ${name}\n${content}` : `<${name}>\n${content}\n</${name}>`

/** YAML's `|` ends a text with a line end, which belongs to the file and not to the content. */
const withoutLastLineEnd = (text: string) => text.replace(/\r?\n$/, '')

/** A value is data: it begins and ends no section. */
const asData = (value: string, target: sectionsIn.Target) =>
  target === 'xml'
    ? value.replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    : value.replace(/(?<![^\r\n\v\f\x85\u2028\u2029])[ \t]*(?=#)/g, '$&\\')

function filledIn(
  text: string,
  [values, target]: readonly [Readonly<Record<string, string>>, sectionsIn.Target],
  unresolved: Set<string>,
): string {
  let [filled, from] = ['', 0]
  for (const { name, start, end } of variablesIn(text)) {
    const value = Object.hasOwn(values, name) ? values[name] : undefined
    if (value === undefined) unresolved.add(name)
    filled += text.slice(from, start) + (value === undefined ? text.slice(start, end) : asData(value, target))
    from = end
  }
  return filled + text.slice(from)
}

const HEADING = /^## ([A-Za-z_][\w.-]{0,99})$/
const OPENING = /^<([A-Za-z_][\w.-]{0,99})>$/

/** Reads a compiled prompt back: the sections of a text in Markdown or XML tags. */
export function sectionsIn(text: string, target: sectionsIn.Target): readonly sectionsIn.Section[] {
  const sections: { name: string; lines: string[] }[] = []
  let isOpen = false
  for (const line of text.replace(/\n$/, '').split('\n')) {
    const heading = target === 'markdown' ? HEADING : isOpen ? undefined : OPENING
    const name = heading?.exec(line)?.[1]
    const last = sections.at(-1)
    if (name !== undefined) {
      sections.push({ name, lines: [] })
      isOpen = true
    } else if (target === 'xml' && last !== undefined && line === `</${last.name}>`) isOpen = false
    else if (isOpen) last!.lines.push(line)
  }
  // In Markdown, an empty line stands between two sections.
  return sections.map(({ name, lines }, i) => {
    const isBefore = target === 'markdown' && i < sections.length - 1 && lines.at(-1) === ''
    return { name, content: (isBefore ? lines.slice(0, -1) : lines).join('\n') }
  })
}

const TAG = /<\/?([A-Za-z_][\w.-]{0,99})>/g

/** The part of a content that looks like the beginning or the end of a section. */
function sectionBreak(content: string, names: ReadonlySet<string>): string | undefined {
  for (const [tag, name] of content.matchAll(TAG)) if (names.has(name!)) return tag
  return content.split(/\r?\n/).find((line) => HEADING.test(line))
}

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

// Variables of prompts: `{{time}}`. A runtime gives those that context.inject names.

/** A variable in a text, with its place in UTF-16 units. */
export interface Variable {
  readonly name: string
  readonly start: number
  readonly end: number
}

/** The variables that a runtime can give. */
const INJECTED = ['time', 'location', 'user_profile'] as const

const VARIABLE = /\{\{[ \t]*\.?([A-Za-z_]\w{0,99})[ \t]*\}\}/g

const variablesIn = (text: string): readonly Variable[] =>
  Array.from(text.matchAll(VARIABLE), ({ 0: whole, 1: name, index }) => {
    return { name: name!, start: index, end: index + whole.length }
  })

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
  rule(FINDINGS.SECTION_TWICE, ({ sections }, report) => {
    const names = sections.map(({ name }) => name)
    reportTwice(names, 'section', report)
  }),
  rule(FINDINGS.SECTION_BREAK, ({ sections }, report) => {
    const names = new Set(sections.map(({ name }) => name.value))
    for (const { content } of sections) {
      const broken = sectionBreak(content.value, names)
      if (broken !== undefined) report(content.pointer, `The content has ${quoted(broken)}, which ends the section`)
    }
  }),
  rule(FINDINGS.PROMPT_VARIABLE, (prompt, report) =>
    reportVariables(prompt, INJECTED, `Expected one of ${oneOf(INJECTED)}`, report),
  ),
  literalSecret,
  hiddenText,
  placeholder,
]

export const PROMPT = specificationOf(PROMPT_READING, schema, RULES)
