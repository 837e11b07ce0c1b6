import { copyText } from '../clipboard.ts'
import { button, count, cut, element, plural } from '../dom.ts'
import { download } from '../download.ts'
import type { Examination } from '../examine.ts'
import type { View } from './view.ts'

/** The layout of a megabyte of text takes longer than canonicalizing it 100 times; a button shows the rest. */
const SHOWN_CHARACTERS = 20_000

/** The canonical form, its size, its digest, and buttons to copy and download them. */
export class Canonical implements View {
  readonly #output = element('output')
  readonly #digest = element<HTMLOutputElement>('digest')
  #canonical: Uint8Array<ArrayBuffer> | undefined
  #text = ''
  #size = ''
  #asked = 0

  constructor() {
    element('copy').addEventListener('click', () => copyText(this.#text, 'The canonical form is copied.'))
    element('copy-digest').addEventListener('click', () => copyText(this.#digest.value, 'The digest is copied.'))
    element('download').addEventListener('click', () => this.#download())
    element('algorithm').addEventListener('change', () => this.#showDigest())
  }

  /** Shows a document's canonical form; undefined for an empty document. */
  show(examination: Examination | undefined): void {
    this.#canonical = examination?.document?.canonical
    this.#text = this.#canonical === undefined ? '' : new TextDecoder().decode(this.#canonical)
    for (const id of ['copy', 'download', 'copy-digest']) {
      element<HTMLButtonElement>(id).disabled = this.#canonical === undefined
    }
    this.#size =
      examination === undefined || this.#canonical === undefined ? '' : size(examination.bytes, this.#canonical.length)
    element('canonical').hidden = this.#canonical === undefined
    element('canonical-state').textContent = state(examination)
    this.#showText(SHOWN_CHARACTERS)
    this.#showDigest()
  }

  #showText(characters: number): void {
    this.#output.textContent = cut(this.#text, characters)
    const line = element('result-size')
    line.replaceChildren(this.#size)
    if (this.#text.length <= characters) return
    const all = () => this.#showText(Number.POSITIVE_INFINITY)
    line.append(
      ' Only the beginning is shown; Copy and Download use the whole. ',
      button(`Show all ${count(this.#text.length)} characters`, all, 'link'),
    )
  }

  async #showDigest(): Promise<void> {
    const canonical = this.#canonical
    const asked = ++this.#asked
    if (canonical === undefined) {
      this.#digest.value = ''
      return
    }
    if (globalThis.crypto?.subtle === undefined) {
      this.#digest.value = 'Browsers compute digests on https:// and local pages only.'
      return
    }
    const chosen = element('algorithm').querySelector<HTMLInputElement>(':checked')
    const digest = new Uint8Array(await crypto.subtle.digest(chosen?.value ?? 'SHA-256', canonical))
    // A later document may have finished first.
    if (asked !== this.#asked) return
    this.#digest.value = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
  }

  #download(): void {
    if (this.#canonical === undefined) return
    download('canonical.json', this.#canonical, 'application/json')
  }
}

function state(examination: Examination | undefined): string {
  if (examination === undefined) return 'nothing to read yet'
  if (examination.document === undefined) return 'the document is unreadable'
  if (examination.format === 'yaml') return 'of the JSON that the YAML represents'
  return examination.isCanonical ? 'canonical already' : 'rewritten'
}

function size(before: number, after: number): string {
  const change = before - after
  if (change === 0) return `${plural(after, 'byte')}, the same as the document.`
  return `${plural(after, 'byte')}, ${count(Math.abs(change))} ${change > 0 ? 'fewer' : 'more'} than the document.`
}
