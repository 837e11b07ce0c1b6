import type { Grant } from '../../bindings/adl/permissions/grant-rows.ts'
import type { Proof } from '../../bindings/document/proof.ts'
import { button, element, make, plural, table } from '../dom.ts'
import type { Examination } from '../examine.ts'
import { engine } from '../parts.ts'
import { proofOf } from '../proof.ts'
import { type GoTo, notAnAgent, type View } from './view.ts'
import { WhatIf } from './what-if.ts'

const SHOWN = 200

const EFFECTS = { allow: ['good', '✓ allow'], deny: ['bad', '✕ deny'], limit: ['care', '≤ limit'] } as const

/** What an agent may do: every grant of its definition, and a box that asks whether it would permit something. */
export class Permissions implements View {
  readonly #goTo: GoTo
  readonly #whatIf: WhatIf
  #shown: Examination | undefined

  constructor(goTo: GoTo) {
    this.#goTo = goTo
    this.#whatIf = new WhatIf(goTo)
  }

  async show(examination: Examination | undefined): Promise<void> {
    this.#shown = examination
    const reason = notAnAgent(examination)
    element('permissions-none').hidden = reason === undefined
    element('permissions-none').textContent = reason ?? ''
    element('permissions').hidden = reason !== undefined
    if (examination?.document === undefined || reason !== undefined) return
    // Without crypto there is no proof: what is signed then permits nothing.
    const proof: Proof | undefined = await proofOf(examination).catch(() => undefined)
    if (this.#shown !== examination) return
    const { document } = examination
    this.#whatIf.ask(engine.compile(document, { proof }))
    const rows = engine.grants(document, { proof })
    const heads = ['Effect', 'Domain', 'Subject', 'Detail']
    const rest = rows.length - SHOWN
    element('grants').replaceChildren(
      table(
        'Grants',
        heads,
        rows.slice(0, SHOWN).map((row) => this.#cells(row)),
      ),
      ...(rest > 0 ? [make('p', 'hint', `and ${plural(rest, 'more grant')}`)] : []),
    )
  }

  #cells({ effect, domain, subject, detail, pointer, notes }: Grant): (string | Node)[] {
    const [tone, word] = EFFECTS[effect]
    const words = make('div', '', detail)
    for (const note of notes) words.append(make('p', 'where', note))
    const name = make('code', '', subject)
    if (pointer === undefined) return [make('span', tone, word), domain.replace('_', ' '), name, words]
    const go = button('', () => this.#goTo(pointer), 'link')
    go.append(name)
    go.title = pointer
    return [make('span', tone, word), domain.replace('_', ' '), go, words]
  }
}
