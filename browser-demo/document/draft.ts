import { toast } from '../announce.ts'
import { holdsPrivateKey } from '../engine.ts'
import { load, save } from '../saved.ts'

const PAUSE_MS = 400

export const PRIVATE =
  'This holds a private key: it is neither kept nor shared. Under Signature, Open a key file takes it.'
const TOO_LARGE =
  'This document is too large for this browser to keep: the last one that was not comes back at the next visit.'
const REFUSED = 'This browser keeps nothing for this page: what is written here ends with it.'
const ELSEWHERE = 'Another tab of this page keeps its draft in the place of the one that is here.'

/** The document of the editor, as this browser keeps it for the next visit. */
export class Draft {
  readonly #text: () => string
  #waiting: ReturnType<typeof setTimeout> | undefined
  /** The last reason why it is not kept: said once, not at every pause. */
  #said: string | undefined

  /** @param text the document as it is now. */
  constructor(text: () => string) {
    this.#text = text
    addEventListener('pagehide', () => this.settle())
    addEventListener('storage', ({ key, newValue }) => {
      if (key === 'blazon.draft' && newValue && newValue !== text()) this.#say(ELSEWHERE)
    })
  }

  /** The document that is kept: empty after it was cleared, undefined on the first visit. */
  get kept(): string | undefined {
    return load('blazon.draft')
  }

  keepSoon(): void {
    clearTimeout(this.#waiting)
    this.#waiting = setTimeout(() => this.keep(), PAUSE_MS)
  }

  /** Keeps what waits for a pause, before something else takes its place. */
  settle(): void {
    if (this.#waiting !== undefined) this.keep()
  }

  keep(): void {
    clearTimeout(this.#waiting)
    this.#waiting = undefined
    const text = this.#text()
    if (holdsPrivateKey(text)) this.#say(PRIVATE)
    else if (save('blazon.draft', text)) this.#said = undefined
    else this.#say(save('blazon.editor', load('blazon.editor')) ? TOO_LARGE : REFUSED)
  }

  #say(reason: string): void {
    if (reason !== this.#said) toast(reason)
    this.#said = reason
  }
}
