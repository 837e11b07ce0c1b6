import type { Decision, Policy } from '../../bindings/adl/permissions/policy.ts'
import type { PermissionRequest } from '../../bindings/adl/permissions/request.ts'
import { button, element, make, paragraph } from '../dom.ts'
import type { GoTo } from './view.ts'

interface Field {
  readonly name: string
  readonly label: string
  readonly example?: string
  readonly kind?: 'number' | 'flag' | readonly string[]
}

/** What each domain is asked with (bindings/adl/permissions/request.ts). */
const DOMAINS: Readonly<Record<PermissionRequest['domain'], readonly Field[]>> = {
  network: [
    { name: 'host', label: 'Host', example: 'api.example.com' },
    { name: 'port', label: 'Port', example: '443', kind: 'number' },
    { name: 'protocol', label: 'Protocol', example: 'https' },
    { name: 'address', label: 'Resolved address', example: '203.0.113.7' },
  ],
  filesystem: [
    { name: 'path', label: 'Path', example: '/data/documents/a.csv' },
    { name: 'access', label: 'Access', kind: ['read', 'write', 'read_write'] },
  ],
  environment: [{ name: 'variable', label: 'Variable', example: 'APP_PORT' }],
  execution: [
    { name: 'command', label: 'Command', example: 'git' },
    { name: 'shell', label: 'by a shell', kind: 'flag' },
  ],
  resource: [
    { name: 'memoryMb', label: 'Memory in MB', example: '512', kind: 'number' },
    { name: 'cpuPercent', label: 'CPU in percent', example: '50', kind: 'number' },
    { name: 'durationSec', label: 'Seconds', example: '60', kind: 'number' },
    { name: 'concurrent', label: 'At once', example: '2', kind: 'number' },
  ],
  tool: [
    { name: 'name', label: 'Tool', example: 'search_documents' },
    { name: 'confirmed', label: 'somebody has confirmed it', kind: 'flag' },
  ],
}

const TO_DO = {
  'check-address': 'This holds for the name: ask again with the address before connecting to it.',
  'resolve-command': 'This holds for the name: run it only when the name alone would run the same program.',
  'resolve-short-names': 'The path may hold short names: ask again with its long form.',
}

/** The box that asks whether the agent may do something, and says which part of its definition decided. */
export class WhatIf {
  readonly #goTo: GoTo
  readonly #domain = element<HTMLSelectElement>('what-if-domain')
  readonly #fields = element('what-if-fields')
  #policy: Policy | undefined

  constructor(goTo: GoTo) {
    this.#goTo = goTo
    this.#domain.addEventListener('change', () => {
      this.#layFields()
      this.#answer()
    })
    this.#fields.addEventListener('input', () => this.#answer())
    this.#layFields()
  }

  /** Asks another policy the same question. */
  ask(policy: Policy): void {
    this.#policy = policy
    this.#answer()
  }

  #layFields(): void {
    this.#fields.replaceChildren(...this.#wanted().map(input))
  }

  #wanted(): readonly Field[] {
    return DOMAINS[this.#domain.value as PermissionRequest['domain']]
  }

  #answer(): void {
    element('what-if-answer').replaceChildren(...this.#decide())
  }

  #decide(): Node[] {
    const request = this.#request()
    if (request === undefined || this.#policy === undefined)
      return [paragraph('hint', 'Fill in what the agent would do.')]
    try {
      return this.#describe(this.#policy.decide(request))
    } catch (error) {
      if (!(error instanceof TypeError || error instanceof RangeError)) throw error
      return [paragraph('care', error.message.replace(/^request\.?/, ''))]
    }
  }

  /** Undefined while nothing is filled in. */
  #request(): PermissionRequest | undefined {
    const request: Record<string, unknown> = { domain: this.#domain.value }
    let isAsked = false
    for (const { name, kind } of this.#wanted()) {
      const field = element<HTMLInputElement>(`what-if-${name}`)
      if (kind === 'flag') request[name] = field.checked
      else if (field.value !== '') {
        request[name] = kind === 'number' ? Number(field.value) : field.value
        isAsked ||= !Array.isArray(kind)
      }
    }
    return isAsked ? (request as unknown as PermissionRequest) : undefined
  }

  #describe({ allowed, reason, decidedBy, obligations, trace }: Decision): Node[] {
    const verdict = make('p', `outcome ${allowed ? 'good' : 'bad'}`, allowed ? '✓ Allowed' : '✕ Denied')
    const why = paragraph('', reason)
    const by = make('p', 'where', 'Decided by ')
    by.append(
      decidedBy === undefined
        ? 'the absence of a grant'
        : button(decidedBy || 'the whole document', () => this.#goTo(decidedBy), 'link'),
    )
    const steps = make('ol', 'trace')
    for (const { outcome, section, detail } of trace) {
      const item = make('li', '', `${outcome === 'passed' ? '✓' : '✕'} ${detail} `)
      item.append(make('span', 'where', section))
      steps.append(item)
    }
    return [verdict, why, by, ...obligations.map((name) => paragraph('care', TO_DO[name])), steps]
  }
}

function input({ name, label, example, kind }: Field): HTMLElement {
  const frame = make('label', kind === 'flag' ? 'flag' : 'entry')
  if (Array.isArray(kind)) {
    const choice = make('select')
    for (const option of kind) choice.append(new Option(option.replace('_', ' and '), option))
    choice.id = `what-if-${name}`
    frame.append(make('span', '', label), choice)
    return frame
  }
  const field = make('input')
  field.id = `what-if-${name}`
  field.type = kind === 'flag' ? 'checkbox' : 'text'
  field.autocomplete = 'off'
  field.spellcheck = false
  if (kind === 'number') field.inputMode = 'numeric'
  if (example !== undefined) field.placeholder = example
  frame.append(...(kind === 'flag' ? [field, make('span', '', label)] : [make('span', '', label), field]))
  return frame
}
