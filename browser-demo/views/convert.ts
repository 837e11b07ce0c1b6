import { convert, detect } from '../../bindings/convert/convert.ts'
import {
  type ConversionResult,
  type ConvertFormat,
  FORMATS,
  type LossReport,
  type LossRow,
} from '../../bindings/convert/formats.ts'
import { callOptions, OPTIONS, type OptionName, optionsIn, readOption } from '../../bindings/convert/openapi.ts'
import type { Document } from '../../bindings/document/parse.ts'
import type { Kind } from '../../bindings/kinds.ts'
import { isObject } from '../../bindings/text/members.ts'
import { button, copyText, count, cut, element, make, paragraph, remark, scrollable, table } from '../dom.ts'
import type { Edit, GoTo, Readable, View } from './view.ts'

/** The default target for each kind; other kinds use the first format. */
const BECOMES: Readonly<Partial<Record<Kind, ConvertFormat>>> = { adl: 'a2a-1.0', card: 'a2a-1.0' }

const SHOWN_CHARACTERS = 20_000
const SHOWN_ROWS = 200

const NAMES: Readonly<Record<ConvertFormat, string>> = {
  adl: 'Agent definition (ADL 0.1)',
  card: 'Agent Card (ADP)',
  wellknown: 'Metadata of ADP/1.1',
  'a2a-1.0': 'A2A card 1.0',
  'a2a-0.3': 'A2A card 0.3',
  'mcp-2025-11-25': 'MCP 2025-11-25',
  'mcp-2026-07-28': 'MCP 2026-07-28',
  'mcp-server': 'MCP server.json',
  'mcp-client': 'MCP client configuration',
  'oasf-record': 'OASF record 1.1.1',
  'oasf-descriptor': 'OASF descriptor (ADP appendix A.3)',
}

/** The worst first. Losses are expanded: readers look for them. */
const OUTCOMES: readonly (readonly [outcome: LossRow['outcome'], tone: string, word: string, isOpen: boolean])[] = [
  ['dropped', 'bad', '✕ dropped', true],
  ['changed', 'care', '! changed', true],
  ['added', 'care', '+ added', true],
  ['renamed', 'good', '→ elsewhere', false],
  ['kept', 'good', '✓ kept', false],
]

/** Converts the document to another format, and shows the outcome of every member. */
export class Convert implements View {
  readonly #goTo: GoTo
  readonly #open: Edit
  readonly #target = element<HTMLSelectElement>('convert-target')
  readonly #answers = new Answers(() => this.#draw())
  #document: Document | undefined
  /** The encrypted files of its container, which no conversion can use. */
  #sealed: LossReport = []

  constructor(goTo: GoTo, open: Edit) {
    this.#goTo = goTo
    this.#open = open
    this.#target.addEventListener('change', () => this.#draw())
  }

  show({ document, kind, encrypted = [] }: Readable): void {
    this.#document = document
    this.#sealed = encrypted.map((file) => ({ file, outcome: 'dropped', detail: 'encrypted: the page has no secret' }))
    const from = isObject(document.value) ? detect(document, document.value) : undefined
    const targets = FORMATS.filter((format) => format !== from)
    if (this.#target.dataset['targets'] !== targets.join()) {
      this.#target.dataset['targets'] = targets.join()
      this.#target.replaceChildren(...targets.map((format) => new Option(NAMES[format], format)))
      const becomes = kind && BECOMES[kind]
      if (becomes !== undefined) this.#target.value = becomes
    }
    this.#draw()
  }

  #draw(): void {
    if (this.#document === undefined) return
    const to = this.#target.value as ConvertFormat
    const { document, loss, diagnostics, asked, examples, refusal } = converting(this.#document, to, (name) =>
      this.#answers.of(name),
    )
    this.#answers.offer(asked)
    const remarks = diagnostics.slice(0, SHOWN_ROWS).map((one) => remark(one, inWords(one.detail)))
    if (refusal !== undefined) remarks.unshift(paragraph('bad', `✕ ${refusal}`))
    for (const name of examples) {
      const { title, example } = OPTIONS[name]
      remarks.unshift(
        paragraph('care', `! “${title}” is empty, so the example ${example} is used. Enter your own value above.`),
      )
    }
    element('converted').replaceChildren(
      ...remarks,
      ...(document === undefined ? [] : this.#made(document, this.#document)),
    )
    element('loss').replaceChildren(...(document === undefined ? [] : this.#account([...loss, ...this.#sealed])))
  }

  #made({ bytes }: Document, of: Document): HTMLElement[] {
    const text = `${new TextDecoder().decode(bytes)}\n`
    const output = scrollable(make('pre', 'made'), 'Result')
    // Not made visible: readers may copy the text from here.
    output.textContent = cut(text, SHOWN_CHARACTERS)
    const tools = make('div', 'actions', [
      button('Copy', () => copyText(text, 'The result is copied.')),
      button('Open in the editor', () => this.#open(text, undefined, of)),
    ])
    return [output, tools]
  }

  #account(loss: LossReport): HTMLElement[] {
    const groups = OUTCOMES.flatMap(([outcome, tone, word, isOpen]) => {
      const rows = loss.filter((row) => row.outcome === outcome)
      if (rows.length === 0) return []
      const details = make('details', 'stack')
      details.append(
        make('summary', tone, `${word}: ${count(rows.length)}`),
        this.#table(word, rows.slice(0, SHOWN_ROWS)),
      )
      if (rows.length > SHOWN_ROWS) details.append(make('p', 'hint', `and ${count(rows.length - SHOWN_ROWS)} more`))
      details.open = isOpen
      return [details]
    })
    return [make('h3', '', 'Outcome for every member'), ...groups]
  }

  #table(label: string, rows: LossReport): HTMLElement {
    const cells = rows.map(({ pointer, file, target, detail }) => {
      const names = make('div', 'from-to')
      if (pointer !== undefined) names.append(button(pointer || 'the document', () => this.#goTo(pointer), 'link'))
      if (file !== undefined) names.append(make('span', '', file))
      if (target !== undefined && target !== pointer)
        names.append(make('span', 'target', `→ ${target || 'the document'}`))
      return [names, inWords(detail)]
    })
    return table(label, ['Member', 'Outcome'], cells)
  }
}

/** The fields of a conversion, one for each option. Only options that the conversion uses are visible. */
export class Answers {
  readonly #fields = new Map<OptionName, HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement>()

  constructor(changed: () => void) {
    for (const name of Object.keys(OPTIONS) as OptionName[]) {
      const { title, rare } = OPTIONS[name]
      const field = fieldOf(name)
      field.id = `convert-${name}`
      field.addEventListener('input', changed)
      element(rare ? 'convert-more' : 'convert-fields').append(
        make('label', 'entry grow', [make('span', '', title), ' ', field]),
      )
      this.#fields.set(name, field)
    }
  }

  /** The value that the reader entered, or an empty string. */
  of(name: OptionName): string {
    return this.#fields.get(name)!.value.trim()
  }

  offer(names: readonly OptionName[]): void {
    for (const [name, field] of this.#fields) field.parentElement!.hidden = !names.includes(name)
  }
}

function fieldOf(name: OptionName): HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement {
  const { choices, example = '', many } = OPTIONS[name]
  if (choices !== undefined) {
    return make('select', '', [new Option('default', ''), ...choices.map((value) => new Option(value, value))])
  }
  const field = make(many ? 'textarea' : 'input')
  if (field instanceof HTMLTextAreaElement) field.rows = 2
  else field.type = 'text'
  field.autocomplete = 'off'
  field.spellcheck = false
  if (example !== '') field.placeholder = `such as ${example}`
  return field
}

export interface Conversion extends Omit<ConversionResult, 'asked'> {
  readonly asked: readonly OptionName[]
  /** Required options that are empty; their examples are used. */
  readonly examples: readonly OptionName[]
  /** Why a value was refused. */
  readonly refusal?: string
}

/**
 * Converts with the values of the options that the conversion uses, and with examples for required options that are empty.
 * An option can make the conversion use another one, so this repeats until it uses no new option.
 */
export function converting(document: Document, to: ConvertFormat, answer: (name: OptionName) => string): Conversion {
  const given = new Map<OptionName, unknown>()
  const examples: OptionName[] = []
  let asked: readonly OptionName[] = ['from']
  try {
    for (;;) {
      for (const name of asked) if (answer(name) !== '') given.set(name, readOption(name, answer(name)))
      const made = convert(document, { to, ...Object.fromEntries(given) })
      const before = asked
      asked = made.asked.filter((name) => Object.hasOwn(OPTIONS, name)) as OptionName[]
      if (asked.some((name) => answer(name) !== '' && !given.has(name))) continue
      const lacking = made.document === undefined ? lackingIn(made, given) : undefined
      if (lacking === undefined) return { ...made, asked: [...new Set([...asked, ...given.keys()])], examples }
      asked = [...new Set([...before, ...asked])]
      examples.push(lacking)
      given.set(lacking, readOption(lacking, OPTIONS[lacking].example!))
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    const refusal = error.message.replace(/^(\w+)[.\w]*: /, (whole, name) =>
      Object.hasOwn(OPTIONS, name) ? `“${OPTIONS[name as OptionName].title}”: ` : whole,
    )
    return { document: undefined, loss: [], diagnostics: [], asked, examples, refusal }
  }
}

/** A message with the titles of options instead of their names. */
export const inWords = (message: string) => callOptions(message, (name) => `“${OPTIONS[name].title}”`)

/** The first required option that is missing and has an example. */
function lackingIn({ diagnostics }: ConversionResult, given: ReadonlyMap<OptionName, unknown>): OptionName | undefined {
  return diagnostics
    .filter(({ severity }) => severity === 'error')
    .flatMap(({ detail }) => optionsIn(detail))
    .find((name) => !given.has(name) && OPTIONS[name].example !== undefined)
}
