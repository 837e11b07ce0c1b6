import type { Proof, Step } from '../../bindings/frame/proof.ts'
import { copyText } from '../clipboard.ts'
import { button, element, make, paragraph } from '../dom.ts'
import { proofOf } from '../proof.ts'
import type { GoTo, Readable, View } from './view.ts'

const VERDICTS = {
  verified: ['good', '✓ Verified: nothing was changed since it was signed with the key below.'],
  failed: ['bad', '✕ Failed: something speaks against it.'],
  unverifiable: ['care', '? Unverifiable: nothing speaks against it, but it could not be shown.'],
} as const

const OUTCOMES = {
  passed: '✓ Passed',
  failed: '✕ Failed',
  warning: '! Warning',
  skipped: '– Skipped',
  unknown: '? Unknown',
} as const

/** The verification of the signature, step by step. */
export class Signature implements View {
  readonly #goTo: GoTo
  #shown: Readable | undefined

  constructor(goTo: GoTo) {
    this.#goTo = goTo
  }

  async show(examination: Readable): Promise<void> {
    this.#shown = examination
    const shown = await proofOf(examination).then(
      (proof) => this.#draw(proof),
      (error: Error) => [make('p', 'bad', `✕ It could not be verified here: ${error.message}`)],
    )
    // A later document may have been faster.
    if (this.#shown === examination) element('signature').replaceChildren(...shown)
  }

  #draw(proof: Proof): HTMLElement[] {
    const [tone, words] = VERDICTS[proof.verdict]
    const steps = make('ol', 'steps')
    steps.append(...proof.steps.map((step) => this.#step(step)))
    const copy = button('Copy the proof as JSON', () =>
      copyText(JSON.stringify(proof, null, 2), 'The proof is copied.'),
    )
    const note =
      'Only keys in the document itself were looked at: nothing was fetched. What such a key shows is that the document is whole, not whose it is; blazon verify --key asks that.'
    return [make('p', `outcome ${tone}`, words), steps, paragraph('hint', note), copy]
  }

  #step({ name, title, outcome, detail, spec, diagnostic }: Step): HTMLElement {
    const item = make('li')
    item.dataset['outcome'] = outcome
    item.dataset['step'] = name
    const headline = make('div', 'headline')
    headline.append(make('span', 'severity', OUTCOMES[outcome]), make('strong', '', title))
    if (diagnostic !== undefined) {
      const { pointer, line } = diagnostic.source
      headline.append(button(`Line ${line}`, () => this.#goTo(pointer)))
    }
    headline.append(make('span', 'where', spec))
    item.append(headline, paragraph('', detail))
    return item
  }
}
