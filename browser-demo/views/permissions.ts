import type { Proof } from '../../bindings/frame/source.ts'
import type { Grant } from '../../bindings/policy/policy.ts'
import { visibleText } from '../../bindings/text/hidden.ts'
import { button, element, make, paragraph, plural, type Row, table } from '../dom.ts'
import * as engine from '../engine.ts'
import { proofOf } from '../proof.ts'
import { emptyMeanwhile, type GoTo, type Readable, type View } from './view.ts'
import { WhatIf } from './what-if.ts'

const SHOWN = 200

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

/** The permissions of an agent: every grant of its definition, and a form to try a request. */
export class Permissions implements View {
  readonly #goTo: GoTo
  readonly #whatIf: WhatIf
  #shown: Readable | undefined

  constructor(goTo: GoTo) {
    this.#goTo = goTo
    this.#whatIf = new WhatIf(goTo)
  }

  async show(examination: Readable): Promise<void> {
    this.#shown = examination
    // Without Web Crypto there is no proof, and a signed definition grants nothing.
    const proved: Promise<Proof | undefined> = proofOf(examination).catch(() => undefined)
    this.#whatIf.ask(undefined)
    const proof = await emptyMeanwhile(element('grants'), proved)
    if (this.#shown !== examination) return
    const { document } = examination
    this.#whatIf.ask(engine.compile(document, { proof }))
    const { rows } = engine.grants(document, { proof })
    const rest = rows.length - SHOWN
    element('grants').replaceChildren(
      table('Grants', ['Effect', 'Subject', 'Detail'], this.#grouped(rows.slice(0, SHOWN))),
      ...(rest > 0 ? [make('p', 'hint', `and ${plural(rest, 'more grant')}`)] : []),
    )
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
