import type { Proof, Step } from '../../bindings/frame/source.ts'
import { copyText } from '../clipboard.ts'
import { button, element, make, paragraph } from '../dom.ts'
import * as engine from '../engine.ts'
import { proofOf } from '../proof.ts'
import { stepItem, verdictLine } from '../steps.ts'
import { Signing } from './signing.ts'
import { type Edit, emptyMeanwhile, type GoTo, type Readable, type View } from './view.ts'

const VERDICTS = {
  verified: 'Verified: the document is unchanged since it was signed with the key below.',
  failed: 'Failed: a check failed.',
  unverifiable: 'Unverifiable: no check failed, but the signature could not be verified.',
} as const

const IN_DOCUMENT =
  'The page used only keys in the document itself, and fetched nothing. Such a key shows that the document is unchanged, not whose it is. To check that, use blazon verify --key.'
const BY_OWN_KEY =
  'The document does not contain the key, so it was verified with the one below. Others need that key from you: blazon verify --key agent.pub.'

/** The verification of the signature, step by step, and the form to sign. */
export class Signature implements View {
  readonly #goTo: GoTo
  readonly #signing: Signing
  #shown: Readable | undefined

  constructor(goTo: GoTo, edit: Edit) {
    this.#goTo = goTo
    this.#signing = new Signing(edit, () => this.#shown && this.show(this.#shown))
  }

  async show(examination: Readable): Promise<void> {
    this.#shown = examination
    this.#signing.show(examination)
    const proved = this.#prove(examination).catch((error: Error) => [
      make('p', 'bad', `✕ The signature could not be checked: ${error.message}`),
    ])
    const shown = await emptyMeanwhile(element('proof'), proved)
    // A later document may have finished first.
    if (this.#shown === examination) element('proof').replaceChildren(...shown)
  }

  /** Verifies with the keys in the document, or if they verify nothing, with the reader's own key. */
  async #prove(examination: Readable): Promise<HTMLElement[]> {
    const proof = await proofOf(examination)
    const { key } = this.#signing
    if (proof.verdict !== 'unverifiable' || key === undefined) return this.#draw(proof, IN_DOCUMENT)
    const own = await engine.verify(examination.document, { expect: { keys: [key] } })
    return own.verdict === 'verified' ? this.#draw(own, BY_OWN_KEY) : this.#draw(proof, IN_DOCUMENT)
  }

  #draw(proof: Proof, note: string): HTMLElement[] {
    const steps = make('ol', 'steps')
    steps.append(...proof.steps.map((step) => this.#step(step)))
    const copy = button('Copy the proof as JSON', () =>
      copyText(JSON.stringify(proof, null, 2), 'The proof is copied.'),
    )
    return [verdictLine(proof.verdict, VERDICTS[proof.verdict]), steps, paragraph('hint', note), copy]
  }

  #step(step: Step): HTMLElement {
    const detail = paragraph('', step.detail)
    if (step.diagnostic === undefined) return stepItem(step, detail)
    const { pointer, line } = step.diagnostic.source
    const go = button(`Line ${line}`, () => this.#goTo(pointer))
    return stepItem(step, detail, go)
  }
}
