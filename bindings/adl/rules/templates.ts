// The templates of prompts (ADL 7.2, 8.3): their syntax, and whether references and values match.

import { compileTemplate } from '../../core/template.ts'
import { DocumentError } from '../../document/finding.ts'
import type { Report, Rule } from '../../frame/subject.ts'
import { escapeToken, type JsonObject, objectMember, type PlacedValue, textMember } from '../../text/members.ts'
import { quoted, suggest } from '../../text/words.ts'
import * as FINDINGS from '../findings.ts'
import { once } from '../places.ts'
import type { Agent } from '../subject.ts'

/** A template with references or braces, and the values that it may refer to. */
interface Prompt {
  readonly template: PlacedValue<string>
  readonly isSystem: boolean
  /**
   * Undefined when they are unknown: a prompt that is only a text has none, and a composed schema doesn't list them.
   */
  readonly values: PlacedValue<JsonObject> | undefined
  readonly names: readonly string[]
  readonly fault: string | undefined
}

/** The prompts whose templates need to be checked. */
const templated = once(({ root, prompts }): readonly Prompt[] => {
  const found: Prompt[] = []
  const add = (template: PlacedValue<string> | undefined, isSystem: boolean, values: () => Prompt['values']) => {
    if (template !== undefined) found.push({ template, isSystem, values: values(), ...read(template.value) })
  }
  const system = objectMember(root, 'system_prompt')
  add(textMember(root, 'system_prompt'), true, () => undefined)
  add(textMember(system, 'template'), true, () => objectMember(system, 'variables') ?? empty(system!))
  for (const prompt of prompts) add(textMember(prompt, 'template'), false, () => listedArguments(prompt))
  return found
})

/** The references of a template, or its fault. */
function read(template: string): Pick<Prompt, 'names' | 'fault'> {
  if (!template.includes('{{')) return NO_REFERENCES
  try {
    return { names: compileTemplate(template).names, fault: undefined }
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    const { detail, source } = error.diagnostics[0]!
    return { names: [], fault: `${detail}, at line ${source.line}, column ${source.column} of the text` }
  }
}

const NO_REFERENCES = { names: [], fault: undefined }

const empty = ({ pointer }: PlacedValue<JsonObject>): PlacedValue<JsonObject> => ({ pointer, value: {} })

/** The arguments of a prompt by name, if its schema simply lists them. */
export function listedArguments(prompt: PlacedValue<JsonObject>): PlacedValue<JsonObject> | undefined {
  if (!Object.hasOwn(prompt.value, 'arguments')) return empty(prompt)
  const schema = objectMember(prompt, 'arguments')
  if (schema === undefined || COMPOSED.some((keyword) => Object.hasOwn(schema.value, keyword))) return undefined
  return objectMember(schema, 'properties') ?? empty(schema)
}

const COMPOSED = ['$ref', '$dynamicRef', 'allOf', 'anyOf', 'oneOf', 'if', 'patternProperties']

export const templateSyntax: Rule<Agent> = {
  ...FINDINGS.TEMPLATE_SYNTAX,
  check(agent, report) {
    for (const { template, fault } of templated(agent)) {
      if (fault !== undefined) report(template.pointer, `Template: ${fault}`, { fix: ESCAPE })
    }
  },
}

const ESCAPE = { hint: 'a reference is {{name}}; for braces that are text write \\{{' }

export const templateUndefined: Rule<Agent> = {
  ...FINDINGS.TEMPLATE_UNDEFINED,
  check(agent, report) {
    for (const prompt of templated(agent)) {
      if (prompt.isSystem) tellAbsent(prompt, report, (name) => `the variable ${name}, which 'variables' does not have`)
    }
  },
}

function tellAbsent({ template, names, values }: Prompt, report: Report, words: (name: string) => string): void {
  if (values === undefined) return
  for (const name of names) {
    if (Object.hasOwn(values.value, name)) continue
    const meant = name.length > 40 ? undefined : suggest(name, Object.keys(values.value).slice(0, 100))
    const fix = meant === undefined ? {} : { fix: { hint: `did you mean '${meant}'?` } }
    report(template.pointer, `Template refers to ${words(quoted(name))}`, fix)
  }
}

export const promptArgument: Rule<Agent> = {
  ...FINDINGS.PROMPT_ARGUMENT,
  check(agent, report) {
    for (const prompt of templated(agent)) {
      if (!prompt.isSystem) tellAbsent(prompt, report, (name) => `${name}, which is no argument of the prompt`)
    }
  },
}

export const unusedVariable: Rule<Agent> = {
  ...FINDINGS.UNUSED_VARIABLE,
  check(agent, report) {
    for (const { names, values, isSystem, fault } of templated(agent)) {
      if (values === undefined || fault !== undefined) continue
      const kind = isSystem ? 'Variable' : 'Argument'
      const used = new Set(names)
      for (const name of Object.keys(values.value)) {
        if (used.has(name)) continue
        const pointer = `${values.pointer}/${escapeToken(name)}`
        report(pointer, `${kind} ${quoted(name)} is in no reference of the template`, { atName: true })
      }
    }
  },
}
