import type { Document } from '../../bindings/document/parse.ts'
import { type JsonObject, member, objectOf } from '../../bindings/text/members.ts'
import { cut, element, make, plural, remark } from '../dom.ts'
import * as engine from '../engine.ts'
import type { Readable, View } from './view.ts'

const SHOWN_CHARACTERS = 20_000
/** Bounds the form; nobody fills in more fields. */
const MOST_FIELDS = 100

interface Prompt {
  /** Undefined for the system prompt. */
  readonly name: string | undefined
  readonly template: string
  /** Values from the document itself. */
  readonly defaults: JsonObject
  /** Types of the arguments by their names. */
  readonly properties: JsonObject
}

/** Renders a prompt of the definition with values from the reader. */
export class PromptPreview implements View {
  readonly #choice = element<HTMLSelectElement>('prompt-choice')
  readonly #fields = element('prompt-fields')
  /** The values from the reader, kept while the document is edited. */
  readonly #values = new Map<string, string>()
  #document: Document | undefined
  #prompts: readonly Prompt[] = []
  #laid = ''

  constructor() {
    this.#choice.addEventListener('change', () => this.#draw())
    this.#fields.addEventListener('input', ({ target }) => {
      const { name, value } = target as HTMLInputElement
      this.#values.set(name, value)
      this.#render()
    })
  }

  show({ document }: Readable): void {
    this.#document = document
    this.#prompts = promptsOf(document.value as JsonObject)
    if (this.#prompts.length === 0) {
      element('prompt').hidden = true
      element('prompt-none').hidden = false
      element('prompt-none').textContent = 'The agent has no prompts.'
      return
    }
    const chosen = Math.max(0, this.#choice.selectedIndex)
    const options = this.#prompts.map(({ name }, i) => new Option(name ?? 'System prompt', String(i)))
    this.#choice.replaceChildren(...options)
    this.#choice.selectedIndex = Math.min(chosen, options.length - 1)
    this.#draw()
  }

  #chosen(): Prompt {
    return this.#prompts[this.#choice.selectedIndex]!
  }

  #draw(): void {
    const { defaults, properties, template } = this.#chosen()
    const names = namesIn(template).slice(0, MOST_FIELDS)
    const shape = JSON.stringify(names.map((name) => [name, member(defaults, name), typeOf(properties, name)]))
    // Rebuilt only if the names change, so that the focus stays.
    if (shape !== this.#laid) {
      this.#laid = shape
      this.#fields.replaceChildren(
        ...names.map((name) =>
          field(name, this.#values.get(name) ?? '', member(defaults, name), typeOf(properties, name)),
        ),
      )
    }
    this.#render()
  }

  #render(): void {
    if (this.#document === undefined) return
    const { name, properties, template } = this.#chosen()
    const given = namesIn(template).flatMap((variable) => {
      const text = this.#values.get(variable) ?? ''
      return text === '' ? [] : [[variable, typedAs(text, typeOf(properties, variable))] as const]
    })
    const output = element('prompt-text')
    const remarks = element('prompt-remarks')
    const options = { ...(name !== undefined && { prompt: name }), variables: Object.fromEntries(given) }
    const { text, diagnostics } = engine.renderPrompt(this.#document, options)
    const errors = diagnostics.filter(({ severity }) => severity === 'error')
    output.textContent = text === undefined ? '' : cut(text, SHOWN_CHARACTERS)
    remarks.replaceChildren(
      ...(text === undefined ? [] : [make('p', 'hint', plural(text.length, 'character'))]),
      ...errors.map((one) => remark(one)),
    )
    output.hidden = output.textContent === ''
  }
}

function promptsOf({ system_prompt, prompts }: JsonObject): Prompt[] {
  const found: Prompt[] = []
  if (typeof system_prompt === 'string')
    found.push({ name: undefined, template: system_prompt, defaults: {}, properties: {} })
  const system = objectOf(system_prompt)
  if (typeof system['template'] === 'string') {
    const defaults = objectOf(system['variables'])
    found.push({ name: undefined, template: system['template'], defaults, properties: {} })
  }
  for (const prompt of Array.isArray(prompts) ? prompts.slice(0, MOST_FIELDS) : []) {
    const { name, template, arguments: schema } = objectOf(prompt)
    if (typeof name !== 'string' || typeof template !== 'string') continue
    found.push({ name, template, defaults: {}, properties: objectOf(objectOf(schema)['properties']) })
  }
  return found
}

/** The names that a template refers to; empty while the template is malformed. */
function namesIn(template: string): readonly string[] {
  try {
    return engine.compileTemplate(template).names
  } catch (error) {
    if (error instanceof engine.DocumentError) return []
    throw error
  }
}

function typeOf(properties: JsonObject, name: string): string {
  const { type } = objectOf(member(properties, name))
  return typeof type === 'string' ? type : 'string'
}

/**
 * The typed text as a value of the schema's type. Other text stays text, and rendering refuses it with a message.
 */
function typedAs(text: string, type: string): unknown {
  if ((type === 'number' || type === 'integer') && Number.isFinite(Number(text))) return Number(text)
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true'
  return text
}

function field(name: string, value: string, standard: unknown, type: string): HTMLElement {
  const frame = make('label', 'entry')
  const input = make('input')
  input.type = 'text'
  input.name = name
  input.value = value
  input.autocomplete = 'off'
  if (standard !== undefined) input.placeholder = cut(String(standard), 80)
  frame.append(make('span', '', type === 'string' ? name : `${name} (${type})`), input)
  return frame
}
