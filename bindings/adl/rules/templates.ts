// The templates of prompts (ADL 7.2, 8.3): their syntax, and that references and values fit.
import { compileTemplate } from '../../core/template.ts'
import { DocumentError } from '../../document/error.ts'
import { escapeToken } from '../../document/pointer.ts'
import type { Report, Rule } from '../../document/rule.ts'
import { suggest } from '../../document/suggest.ts'
import { type Agent, type JsonObject, objectMember, type Placed, textMember } from '../agent.ts'
import { quoted } from '../words.ts'

/** The references of a template, or what is wrong with it. */
function read(template: string): { readonly names: readonly string[]; readonly fault?: string } {
  if (!template.includes('{{')) return NO_REFERENCES
  try {
    return compileTemplate(template)
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    const { detail, source } = error.diagnostics[0]!
    return { names: [], fault: `${detail}, at line ${source.line}, column ${source.column} of the text` }
  }
}

const NO_REFERENCES = { names: [] }

/** The template of the system prompt. A prompt that is a mere string has no variables: its references have no value. */
function systemTemplate({ root }: Agent): Placed<string> | undefined {
  return textMember(root, 'system_prompt') ?? textMember(objectMember(root, 'system_prompt'), 'template')
}

export const templateSyntax: Rule<Agent> = {
  id: 'template-syntax',
  code: 'ADL-1006',
  title: 'Value does not match pattern',
  section: 'ADL 7.2',
  severity: 'error',
  why: 'What stands between braces and is no reference is shown to the model as it stands.',
  bad: '{"system_prompt": {"template": "You help {{ company }}.", "variables": {}}}',
  good: '{"system_prompt": {"template": "You help {{company}}.", "variables": {"company": "Acme"}}}',
  check(agent, report) {
    for (const template of [systemTemplate(agent), ...agent.prompts.map((prompt) => textMember(prompt, 'template'))]) {
      const fault = template === undefined ? undefined : read(template.value).fault
      if (fault !== undefined) report(template!.pointer, `Template: ${fault}`, { fix: ESCAPE })
    }
  },
}

const ESCAPE = { hint: 'a reference is {{name}}; for braces that are text write \\{{' }

export const templateUndefined: Rule<Agent> = {
  id: 'template-undefined',
  code: 'ADL-1006',
  title: 'Value does not match pattern',
  section: 'ADL 7.2',
  severity: 'error',
  why: 'A reference without a value must not become an empty text: the prompt cannot be rendered.',
  bad: '{"system_prompt": {"template": "You help {{company}}.", "variables": {}}}',
  good: '{"system_prompt": {"template": "You help {{company}}.", "variables": {"company": "Acme"}}}',
  check(agent, report) {
    const prompt = objectMember(agent.root, 'system_prompt')
    const template = textMember(prompt, 'template')
    if (template === undefined) return
    const variables = objectMember(prompt, 'variables')?.value ?? {}
    tellAbsent(
      template,
      variables,
      report,
      (name) => `Template refers to the variable ${quoted(name)}, which 'variables' does not have`,
    )
  },
}

function tellAbsent(
  template: Placed<string>,
  values: JsonObject,
  report: Report,
  words: (name: string) => string,
): void {
  for (const name of read(template.value).names) {
    if (Object.hasOwn(values, name)) continue
    const meant = name.length > 40 ? undefined : suggest(name, Object.keys(values).slice(0, 100))
    report(template.pointer, words(name), meant === undefined ? {} : { fix: { hint: `did you mean '${meant}'?` } })
  }
}

/** The arguments of a prompt by name, when its schema simply lists them. */
function listedArguments(prompt: Agent['prompts'][number]): Placed<JsonObject> | undefined {
  if (!Object.hasOwn(prompt.value, 'arguments')) return { pointer: prompt.pointer, value: {} }
  const schema = objectMember(prompt, 'arguments')
  if (schema === undefined || COMPOSED.some((keyword) => Object.hasOwn(schema.value, keyword))) return undefined
  return objectMember(schema, 'properties') ?? { pointer: schema.pointer, value: {} }
}

const COMPOSED = ['$ref', '$dynamicRef', 'allOf', 'anyOf', 'oneOf', 'if', 'patternProperties']

export const promptArgument: Rule<Agent> = {
  id: 'prompt-argument',
  code: 'BADL-127',
  title: 'Reference to no argument',
  section: 'ADL 8.3',
  severity: 'warning',
  why: 'Who calls the prompt goes by its arguments, and rendering fails for the reference that is not among them.',
  bad: '{"prompts": [{"name": "greet", "template": "Hello {{name}}", "arguments": {"properties": {}}}]}',
  good: '{"prompts": [{"name": "greet", "template": "Hello {{name}}", "arguments": {"properties": {"name": {}}}}]}',
  check({ prompts }, report) {
    for (const prompt of prompts) {
      const template = textMember(prompt, 'template')
      const known = template?.value.includes('{{') ? listedArguments(prompt) : undefined
      if (known === undefined) continue
      tellAbsent(
        template!,
        known.value,
        report,
        (name) => `Template refers to ${quoted(name)}, which is no argument of the prompt`,
      )
    }
  },
}

export const unusedVariable: Rule<Agent> = {
  id: 'unused-variable',
  code: 'BADL-128',
  title: 'Variable that is not used',
  section: 'ADL 7.2',
  severity: 'warning',
  rulesets: { spec: 'off' },
  why: 'A value that no template refers to changes nothing: most often the reference is misspelled.',
  bad: '{"system_prompt": {"template": "You help.", "variables": {"company": "Acme"}}}',
  good: '{"system_prompt": {"template": "You help {{company}}.", "variables": {"company": "Acme"}}}',
  check({ root, prompts }, report) {
    const system = objectMember(root, 'system_prompt')
    tellUnused(textMember(system, 'template'), objectMember(system, 'variables'), 'Variable', report)
    for (const prompt of prompts) {
      const listed = Object.hasOwn(prompt.value, 'arguments') ? listedArguments(prompt) : undefined
      if (listed !== undefined) tellUnused(textMember(prompt, 'template'), listed, 'Argument', report)
    }
  },
}

function tellUnused(
  template: Placed<string> | undefined,
  values: Placed<JsonObject> | undefined,
  kind: string,
  report: Report,
): void {
  if (template === undefined || values === undefined) return
  const names = Object.keys(values.value)
  if (names.length === 0) return
  const { names: used, fault } = read(template.value)
  if (fault !== undefined) return
  const references = new Set(used)
  // An extension member may stand anywhere.
  for (const name of names) {
    if (references.has(name) || name.startsWith('x_')) continue
    report(`${values.pointer}/${escapeToken(name)}`, `${kind} ${quoted(name)} is in no reference of the template`, {
      atName: true,
    })
  }
}
