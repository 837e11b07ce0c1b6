import type { Answer, Granting } from '../../bindings/policy/matrix.ts'
import type { Decision, Grant } from '../../bindings/policy/policy.ts'
import { type PermissionRequest, REQUESTS, type RequestMember } from '../../bindings/policy/request.ts'
import { visibleText } from '../../bindings/text/hidden.ts'
import { button, element, make, paragraph, type Row, restNote, table } from '../dom.ts'
import { endOf, revealInArea } from '../editor.ts'
import * as engine from '../engine.ts'
import { GRANTING, grantingOf, matrixTable, proofIfAny, type Side, signed, toneOf } from './matrix.ts'
import { emptyMeanwhile, type GoTo, type Readable, type View } from './view.ts'

const SHOWN = 200
const PAUSE_MS = 150

const EFFECTS = { allow: ['good', '✓ allow'], deny: ['bad', '✕ deny'], limit: ['care', '≤ limit'] } as const

const DOMAINS: Readonly<Record<Grant['domain'], string>> = {
  document: 'The whole document',
  network: 'Network',
  filesystem: 'Filesystem',
  environment: 'Environment',
  execution: 'Execution',
  resource_limits: 'Resources',
  tool: 'Tools',
}

/** What a document permits: its grants, its answers next to those of the compared one, and a form to try a request. */
export class Permissions implements View {
  readonly #goTo: GoTo
  readonly #whatIf: WhatIf
  #shown: Readable | undefined
  #granting: Granting | undefined

  constructor(goTo: GoTo) {
    this.#goTo = goTo
    this.#whatIf = new WhatIf(goTo)
    let waiting: ReturnType<typeof setTimeout> | undefined
    element('other').addEventListener('input', () => {
      clearTimeout(waiting)
      waiting = setTimeout(() => this.#showMatrix(), PAUSE_MS)
    })
  }

  async show(examination: Readable): Promise<void> {
    this.#shown = examination
    this.#granting = undefined
    this.#whatIf.ask(undefined)
    const proof = await emptyMeanwhile(element('grants'), proofIfAny(examination))
    const granting = await grantingOf(examination)
    if (this.#shown !== examination) return
    this.#granting = granting
    const { document, kind } = examination
    const isDefinition = kind === 'adl'
    element('grants-part').hidden = !isDefinition
    if (isDefinition) {
      const policy = engine.compile(document, { proof })
      this.#whatIf.ask((request) => {
        const decision = policy.decide(request)
        return { ...decision, outcome: decision.allowed ? 'allow' : 'deny' }
      })
      this.#showGrants(engine.grants(document, { proof }).rows)
    } else this.#whatIf.ask((request) => ({ ...granting.decide(request), obligations: [], trace: [] }))
    await this.#showMatrix()
  }

  #showGrants(rows: readonly Grant[]): void {
    element('grants').replaceChildren(
      table('Grants', ['Effect', 'Subject', 'Detail'], this.#grouped(rows.slice(0, SHOWN))),
      ...restNote(rows.length - SHOWN, 'grant'),
    )
  }

  /** The answers of the document, and of the one in the box of Compare if that grants something. */
  async #showMatrix(): Promise<void> {
    const granting = this.#granting
    if (granting === undefined) return
    const other = element<HTMLTextAreaElement>('other')
    const text = other.value
    const second = text === '' ? undefined : engine.examine(text)
    const sides: Side[] = [{ granting, goTo: this.#goTo }]
    if (second?.document !== undefined && GRANTING.some((kind) => kind === second.kind)) {
      const { document } = second
      const reveal = (pointer: string) => {
        const range = document.source(pointer)
        revealInArea(other, range, endOf(range))
      }
      sides.push({ granting: await grantingOf({ ...second, document }), goTo: reveal })
    }
    if (this.#granting === granting && other.value === text) element('matrix').replaceChildren(...matrixTable(sides))
  }

  /** The rows, grouped by domain. */
  #grouped(rows: readonly Grant[]): Row[] {
    return rows.flatMap((row, i) => {
      const cells = this.#cells(row)
      return row.domain === rows[i - 1]?.domain ? [cells] : [DOMAINS[row.domain], cells]
    })
  }

  #cells({ effect, subject, detail, pointer, notes }: Grant): Row {
    const [tone, word] = EFFECTS[effect]
    const words = make('div', '', detail)
    for (const note of notes) words.append(paragraph('where', note))
    const name = make('code', '', subject)
    if (pointer === undefined) return [make('span', tone, word), name, words]
    const go = button('', () => this.#goTo(pointer), 'link')
    go.append(name)
    go.title = visibleText(pointer)
    return [make('span', tone, word), go, words]
  }
}

interface Field extends RequestMember {
  readonly name: string
  readonly label: string
  readonly example?: string
}

/** The labels of the members of requests, each with an example value. */
const LABELS: Readonly<Record<string, readonly [label: string, example?: string]>> = {
  host: ['Host', 'api.example.com'],
  port: ['Port', '443'],
  protocol: ['Protocol', 'https'],
  address: ['Resolved address', '203.0.113.7'],
  path: ['Path', '/data/documents/a.csv'],
  access: ['Access'],
  variable: ['Variable', 'APP_PORT'],
  command: ['Command', 'git'],
  shell: ['by a shell'],
  memoryMb: ['Memory in MB', '512'],
  cpuPercent: ['CPU in percent', '50'],
  durationSec: ['Seconds', '60'],
  concurrent: ['At once', '2'],
  name: ['Tool', 'search_documents'],
  confirmed: ['a person has confirmed it'],
}

function fieldsOf(domain: PermissionRequest['domain']): readonly Field[] {
  return Object.entries<RequestMember>(REQUESTS[domain]).map(([name, member]) => {
    const [label = name, example] = LABELS[name] ?? []
    return { name, label, ...member, ...(example !== undefined && { example }) }
  })
}

const TO_DO = {
  'check-address': 'This decides about the name. Decide again with the address before connecting to it.',
  'resolve-command': 'This decides about the name. Run it only if the name alone would run the same program.',
  'resolve-short-names': 'The path may have short names. Decide again with its long form.',
}

type Judgement = Answer & Pick<Decision, 'obligations' | 'trace'>
type Judge = (request: PermissionRequest) => Judgement

/** The form to try a request: shows if the agent may do it, and which part of its definition decided. */
class WhatIf {
  readonly #goTo: GoTo
  readonly #domain = element<HTMLSelectElement>('what-if-domain')
  readonly #fields = element('what-if-fields')
  #judge: Judge | undefined

  constructor(goTo: GoTo) {
    this.#goTo = goTo
    this.#domain.addEventListener('change', () => {
      this.#layFields()
      this.#answer()
    })
    this.#fields.addEventListener('input', () => this.#answer())
    this.#layFields()
  }

  /** Tries the same request with another policy. Undefined while that is being made: the old one must not answer. */
  ask(judge: Judge | undefined): void {
    this.#judge = judge
    this.#answer()
  }

  #layFields(): void {
    this.#fields.replaceChildren(...this.#wanted().map(input))
  }

  #wanted(): readonly Field[] {
    return fieldsOf(this.#domain.value as PermissionRequest['domain'])
  }

  #answer(): void {
    element('what-if-answer').replaceChildren(...this.#decide())
  }

  #decide(): Node[] {
    const request = this.#request()
    if (request === undefined || this.#judge === undefined)
      return [paragraph('hint', 'Fill in what the agent would do.')]
    try {
      return this.#describe(this.#judge(request))
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof RangeError)) throw error
      return [paragraph('care', error.message.replace(/^request\.?/, ''))]
    }
  }

  /** Undefined while the form is empty. */
  #request(): PermissionRequest | undefined {
    const request: Record<string, unknown> = { domain: this.#domain.value }
    let isAsked = false
    for (const { name, type } of this.#wanted()) {
      const field = element<HTMLInputElement>(`what-if-${name}`)
      if (type === 'flag') request[name] = field.checked
      else if (field.value !== '') {
        request[name] = isNumber(type) ? Number(field.value) : field.value
        isAsked ||= !Array.isArray(type)
      }
    }
    return isAsked ? (request as unknown as PermissionRequest) : undefined
  }

  #describe({ outcome, reason, decidedBy, obligations, trace }: Judgement): Node[] {
    const verdict = make('p', `outcome ${toneOf(outcome)}`, signed(outcome))
    const why = paragraph('', reason)
    const by = make('p', 'where', [
      'Decided by ',
      decidedBy === undefined
        ? 'the absence of a grant'
        : button(decidedBy || 'the whole document', () => this.#goTo(decidedBy), 'link'),
    ])
    const steps = make('ol', 'trace')
    for (const { outcome, section, detail } of trace) {
      steps.append(make('li', '', [`${outcome === 'passed' ? '✓' : '✕'} ${detail} `, make('span', 'where', section)]))
    }
    return [verdict, why, by, ...obligations.map((name) => paragraph('care', TO_DO[name])), steps]
  }
}

const isNumber = (type: RequestMember['type']) => type === 'port' || type === 'amount'

function input({ name, label, example, type }: Field): HTMLElement {
  const frame = make('label', type === 'flag' ? 'flag' : 'entry')
  if (Array.isArray(type)) {
    const choice = make('select')
    for (const option of type) choice.append(new Option(option.replace('_', ' and '), option))
    choice.id = `what-if-${name}`
    frame.append(make('span', '', label), choice)
    return frame
  }
  const field = make('input')
  field.id = `what-if-${name}`
  field.type = type === 'flag' ? 'checkbox' : 'text'
  field.autocomplete = 'off'
  field.spellcheck = false
  if (isNumber(type)) field.inputMode = 'numeric'
  if (example !== undefined) field.placeholder = `such as ${example}`
  frame.append(...(type === 'flag' ? [field, make('span', '', label)] : [make('span', '', label), field]))
  return frame
}
