// Renders the template of a prompt with values that are made harmless first (ADL 7.2, 8.3, 18.3).
import type { Value } from '../core/template/template.ts'
import { compileTemplate, type Template } from '../core/template.ts'
import { DocumentError, type FindingKind } from '../document/finding.ts'
import type { Document } from '../document/parse.ts'
import type { Diagnostic } from '../document/types.ts'
import { exactMembers } from '../frame/integers.ts'
import { ruleDiagnostic } from '../frame/subject.ts'
import { compileSchema } from '../schema/schema.ts'
import { replaceHidden } from '../text/hidden.ts'
import { type JsonObject, member, type PlacedObject } from '../text/members.ts'
import { quoted } from '../text/words.ts'

export interface PromptLimits {
  /** UTF-16 units of a value: 131072. */
  readonly value: number
  /** UTF-8 bytes of the rendered text: 4194304. */
  readonly text: number
}

const PROMPT_LIMITS: PromptLimits = { value: 1 << 17, text: 1 << 22 }

export interface ValueOptions {
  /** What to do with values that contain `{{` or `}}`; default `refuse`. `escape` writes `\{{` for `{{`. */
  readonly delimiters?: 'refuse' | 'escape'
  /** What to do with control, direction and tag characters in values; default `refuse`. */
  readonly hidden?: 'refuse' | 'remove'
  readonly limits?: Partial<PromptLimits>
}

/** A template of the document, with the values that the document provides for it. */
export interface PromptTemplate {
  readonly pointer: string
  readonly template: string
  readonly defaults: PlacedObject | undefined
  /** The JSON Schema of its arguments. */
  readonly schema: PlacedObject | undefined
  /** Its arguments by name, if the schema simply lists them: references to others are then undefined (ADL 8.3). */
  readonly listed?: PlacedObject | undefined
}

/** The findings of a specification for what rendering refuses. */
export interface PromptFindings {
  /** A variable has no value, or is not an argument of the prompt. */
  readonly undefined: FindingKind
  readonly argument: FindingKind
  readonly hidden: FindingKind
  readonly seam: FindingKind
}

/** A rendered text, the names in its template, and the passed variables that it does not use. */
export interface Rendering {
  readonly text: string
  readonly names: readonly string[]
  readonly unused: readonly string[]
}

/** @throws {DocumentError} when a value is missing or not allowed. */
export function renderTemplate(
  document: Document,
  prompt: PromptTemplate,
  variables: JsonObject,
  options: ValueOptions,
  findings: PromptFindings,
): Rendering {
  const values = { ...(prompt.defaults && exactMembers(document, prompt.defaults)), ...variables }
  const refuse = (rule: FindingKind, pointer: string, detail: string): never => {
    throw new DocumentError([ruleDiagnostic(document, rule, 'error', pointer, detail)])
  }
  const place = (name: string) => placeOf(prompt, variables, name)
  try {
    const template = compileTemplate(prompt.template)
    const { listed } = prompt
    const foreign = listed === undefined ? [] : template.names.filter((name) => !Object.hasOwn(listed.value, name))
    if (foreign.length > 0) {
      const detail = `the template refers to ${foreign.map(quoted).join(', ')}: no argument of the prompt`
      refuse(findings.undefined, prompt.pointer, detail)
    }
    const faults = argumentFaults(prompt, variables, template.names)
    if (faults.length > 0) {
      const { pointer } = prompt.schema!
      throw new DocumentError(
        faults.map((detail) => ruleDiagnostic(document, findings.argument, 'error', pointer, detail)),
      )
    }
    const used: Record<string, Value> = Object.create(null)
    for (const name of template.names) {
      const value = member(values, name)
      if (value === undefined) continue
      if (typeof value === 'string' && options.hidden !== 'remove' && hides(value)) {
        refuse(findings.hidden, place(name), `the value of ${name} has control, direction or tag characters`)
      }
      used[name] = (typeof value === 'string' ? harmless(value, options) : value) as Value
    }
    const text = template.render(used, {
      maxBytes: options.limits?.text ?? PROMPT_LIMITS.text,
      maxValueLength: options.limits?.value ?? PROMPT_LIMITS.value,
      delimiters: options.delimiters === 'escape' ? 'keep' : 'refuse',
    })
    if (hasSeam(template, used, text)) {
      refuse(findings.seam, prompt.pointer, 'a value and the text next to it make {{ or }} together')
    }
    const unused = Object.keys(variables).filter((name) => !template.names.includes(name))
    return { text, names: template.names, unused }
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    throw new DocumentError(
      error.diagnostics.map((diagnostic) => relocate(diagnostic, document, prompt, findings, place)),
    )
  }
}

/** The faults of the passed arguments by their schema. Missing ones are reported as undefined variables. */
function argumentFaults({ schema }: PromptTemplate, given: JsonObject, names: readonly string[]): string[] {
  if (schema === undefined) return []
  const compiled = compileSchema(schema.value)
  if (Array.isArray(compiled)) return [`the schema of the arguments is invalid: ${compiled[0]!.message}`]
  return compiled
    .validate(given)
    .filter(({ keyword, params }) => keyword !== 'required' || !names.includes(String(params['name'])))
    .map(({ instancePointer, message }) => `${instancePointer.slice(1) || 'the arguments'}: ${message}`)
}

/** The place of a value in the document; for values that the caller passes, the place of the template. */
function placeOf({ pointer, defaults }: PromptTemplate, given: JsonObject, name: string): string {
  const own = defaults !== undefined && !Object.hasOwn(given, name) && Object.hasOwn(defaults.value, name)
  return own ? `${defaults.pointer}/${name}` : pointer
}

function harmless(value: string, { delimiters, hidden }: ValueOptions): string {
  const seen = hidden === 'remove' ? removeHidden(value) : value
  return delimiters === 'escape' ? seen.replaceAll('{{', '\\{{') : seen
}

/** True when the text has delimiters that are neither in the template's own text nor completely inside one value. */
function hasSeam(template: Template, values: Readonly<Record<string, Value>>, text: string): boolean {
  const plain = template.render(Object.fromEntries(template.names.map((name) => [name, 'x'])))
  const expected = braces.map((brace) => {
    const within = template.names.map((name) => countPairs(String(values[name]), brace) * template.uses(name).length)
    return within.reduce((sum, count) => sum + count, countPairs(plain, brace))
  })
  return braces.some((brace, i) => countPairs(text, brace) !== expected[i])
}

/** Turns a finding about a template into one about the document that contains it. */
function relocate(
  found: Diagnostic,
  document: Document,
  prompt: PromptTemplate,
  findings: PromptFindings,
  place: (name: string) => string,
): Diagnostic {
  if (!found.rule.startsWith('template/') && !found.rule.startsWith('limit/')) return found
  const name = found.source.pointer.slice(1)
  const missing = found.rule === 'template/undefined'
  const { code, title, section } = missing
    ? findings.undefined
    : { code: found.code, title: found.title, section: found.spec }
  const source = document.source(missing || name === '' ? prompt.pointer : place(name))
  const { fix: _, related: __, ...rest } = found
  return { ...rest, code, title, spec: section, source }
}

/** White space, which stays, and lone surrogates, for which the value is refused elsewhere. */
const STAYS = /[\t\n\r\ud800-\udfff]/u

/** The value without invisible characters, which could hide whole sentences. Tabs and line ends stay. */
export function removeHidden(text: string): string {
  return replaceHidden(text, (character) => (STAYS.test(character) ? character : ''))
}

export const hides = (text: string): boolean => removeHidden(text) !== text

const braces = ['{', '}'] as const

/** How often a character occurs twice in a row. Three in a row count as two. */
function countPairs(text: string, character: string): number {
  let count = 0
  const pair = character + character
  for (let at = text.indexOf(pair); at >= 0; at = text.indexOf(pair, at + 1)) count++
  return count
}
