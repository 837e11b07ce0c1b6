import { toast } from '../announce.ts'
import { holdsPrivateKey } from '../engine.ts'
import { load, save } from '../saved.ts'

const PAUSE_MS = 400

export const PRIVATE =
  'The document contains a private key, so the page does not save or share it. To sign with the key, use Open a key file under Signature.'
const TOO_LARGE = 'The document is too large to save in this browser. The next visit shows the last one that was saved.'
const REFUSED = 'This browser saves nothing for this page. The document is lost when you close it.'
const ELSEWHERE = 'Another tab has saved its document over the one in this tab.'

/** Saves the document of the editor in the browser, for the next visit. */
export class Draft {
  readonly #text: () => string
  #waiting: ReturnType<typeof setTimeout> | undefined
  /** The last reason that was shown: it is shown once, not at every pause. */
  #shown: string | undefined

  /** @param text returns the current document. */
  constructor(text: () => string) {
    this.#text = text
    addEventListener('pagehide', () => this.settle())
    addEventListener('storage', ({ key, newValue }) => {
      if (key === 'blazon.draft' && newValue && newValue !== text()) this.#showOnce(ELSEWHERE)
    })
  }

  /** The saved document: empty after Clear, undefined on the first visit. */
  get kept(): string | undefined {
    return load('blazon.draft')
  }

  keepSoon(): void {
    clearTimeout(this.#waiting)
    this.#waiting = setTimeout(() => this.keep(), PAUSE_MS)
  }

  /** Saves a change that still waits for a pause. */
  settle(): void {
    if (this.#waiting !== undefined) this.keep()
  }

  keep(): void {
    clearTimeout(this.#waiting)
    this.#waiting = undefined
    const text = this.#text()
    if (holdsPrivateKey(text)) this.#showOnce(PRIVATE)
    else if (save('blazon.draft', text)) this.#shown = undefined
    else this.#showOnce(save('blazon.editor', load('blazon.editor')) ? TOO_LARGE : REFUSED)
  }

  #showOnce(reason: string): void {
    if (reason !== this.#shown) toast(reason)
    this.#shown = reason
  }
}
