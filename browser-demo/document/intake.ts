import { toast } from '../announce.ts'
import { element } from '../dom.ts'
import type { Editor } from '../editor.ts'
import { holdsPrivateKey } from '../engine.ts'
import { EXAMPLES } from '../examples.ts'
import { holdsLink, linkHash, linkText } from '../share.ts'
import { Draft, PRIVATE } from './draft.ts'

const FILE_BYTES = 8 << 20
/** Longer links are cut by mail programs and chats. */
const LONG_LINK = 8000

type Bytes = Uint8Array<ArrayBuffer>

/** A document of the editor: its text, and its bytes where it is a file. */
interface Shown {
  readonly text: string
  readonly file?: Bytes | undefined
}

/** The ways by which documents come into the editor. Nothing that somebody wrote is lost when another takes its place. */
export class Intake {
  readonly #editor: Editor
  readonly #check: () => void
  readonly #draft: Draft
  readonly #choice = element<HTMLSelectElement>('example')
  /** Counts what came: a file or a link that takes its time must not take the place of what came later. */
  #arrivals = 0
  #file: Bytes | undefined
  /** Browsers fill in what a text area held before a reload: that alone is no document that came. */
  #isBegun = false
  /** The example in sight, and what it has taken the place of: arrow keys go through many, and none is the reader's own. */
  #example: { readonly text: string; readonly before: Shown } | undefined

  /** @param check called with each document that comes. */
  constructor(editor: Editor, check: () => void) {
    this.#editor = editor
    this.#check = check
    this.#draft = new Draft(() => editor.text)
    this.#setUp()
  }

  /** The bytes of an opened file, until the text is edited: decoding could hide their faults. */
  get file(): Bytes | undefined {
    return this.#file
  }

  /** To be called when the reader has changed the text. */
  edited(): void {
    this.#came(undefined)
    this.#leaveLink()
    this.#draft.keepSoon()
  }

  /** Puts a document that was made or found into the editor, and keeps it. */
  take(document: Shown, words = 'It has taken the place of the document that was here.'): void {
    this.#replace(document, words)
    this.#draft.keep()
  }

  async openFile(chosen: File | undefined): Promise<void> {
    const mine = ++this.#arrivals
    const file = await bytesOf(chosen)
    if (file === undefined || mine !== this.#arrivals) return
    const text = textOf(file)
    const { name } = chosen!
    // The editor's text is kept in the browser and goes into share links.
    if (holdsPrivateKey(text))
      toast(`${name} holds a private key: it is not opened here. Under Signature, Open a key file takes it.`)
    else this.take({ text, file }, `${name} has taken the place of the document that was here.`)
  }

  openExample(name: string): void {
    const example = EXAMPLES[name]
    if (example === undefined) return
    const text = example.text()
    const before = this.#example?.text === this.#editor.text ? this.#example.before : this.#shown()
    this.#replace({ text }, 'The example has taken the place of your draft.', before)
    this.#example = { text, before }
    this.#choice.value = name
  }

  /** Opens the document of the address if it has one, or else the draft; on the first visit an example that shows findings. */
  async follow(): Promise<void> {
    // Without a link there is nothing to wait for: what another room opens comes after the draft.
    const isOpen = holdsLink(location.hash) && (await this.#openLink())
    if (isOpen || this.#isBegun) return
    const { kept } = this.#draft
    if (kept === undefined) this.openExample('faulty')
    else this.#put({ text: kept })
  }

  #setUp(): void {
    const picker = element<HTMLInputElement>('file')
    element('open').addEventListener('click', () => picker.click())
    picker.addEventListener('change', () => {
      this.openFile(picker.files?.[0])
      // Otherwise the same file could not be chosen again after a change on disk.
      picker.value = ''
    })
    for (const [name, { title }] of Object.entries(EXAMPLES)) this.#choice.append(new Option(title, name))
    this.#choice.addEventListener('change', () => this.openExample(this.#choice.value))
    element('share').addEventListener('click', () => this.#share())
    element('clear').addEventListener('click', () => {
      this.take({ text: '' }, 'Cleared, here and in what this browser keeps.')
      this.#editor.focus()
    })
  }

  #shown(): Shown {
    return { text: this.#isBegun ? this.#editor.text : '', file: this.#file }
  }

  #came(file: Bytes | undefined): void {
    this.#arrivals++
    this.#file = file
    this.#isBegun = true
    this.#choice.value = ''
  }

  #put({ text, file }: Shown): void {
    this.#draft.settle()
    this.#editor.text = text
    this.#came(file)
    this.#check()
  }

  /** Puts a document in the place of another one, which Undo brings back. */
  #replace(document: Shown, words: string, before = this.#shown()): void {
    this.#put(document)
    this.#leaveLink()
    this.#offer(before, words)
  }

  /** Offers to bring back what was there before, which can be undone, too. */
  #offer(before: Shown, words: string): void {
    if (before.text === '' || before.text === this.#editor.text) return
    const run = () => {
      this.#replace(before, 'What was here before is back.')
      this.#draft.keep()
    }
    toast(words, { label: 'Undo', run })
  }

  /** After a change the address is of another document: reloaded, it would bring that one in the place of the reader's work. */
  #leaveLink(): void {
    if (holdsLink(location.hash)) history.replaceState(null, '', location.pathname + location.search)
  }

  /** False when there is nothing to open. The kept draft stays until the reader types. */
  async #openLink(): Promise<boolean> {
    const mine = ++this.#arrivals
    try {
      const text = await linkText(location.hash)
      if (mine !== this.#arrivals) return true
      const before = this.#shown()
      this.#put({ text: text! })
      const own = this.#draft.kept
      if (before.text !== own)
        this.#offer(before, 'The document of the link has taken the place of the one that was here.')
      if (own && own !== text && (before.text === own || before.text === '')) {
        toast('This document came with the link. Your own draft is kept until you type.', {
          label: 'Open my draft',
          run: () => this.#replace({ text: own }, 'Your draft is back.'),
        })
      }
      return true
    } catch (error) {
      toast((error as Error).message)
      return false
    }
  }

  async #share(): Promise<void> {
    const { text } = this.#editor
    if (holdsPrivateKey(text)) return toast(PRIVATE)
    const hash = await linkHash(text)
    // A link of what is no longer there would bring it back.
    if (text !== this.#editor.text) return toast('The document has changed meanwhile: share it again.')
    history.replaceState(null, '', hash)
    const { length } = location.href
    const note =
      length > LONG_LINK ? ` It has ${length.toLocaleString('en-US')} characters; some programs cut such links.` : ''
    try {
      await navigator.clipboard.writeText(location.href)
      toast(`The link is copied. It holds the document itself.${note}`)
    } catch {
      toast(`The link is in the address bar. It holds the document itself.${note}`)
    }
  }
}

/** The text of a file, as it is: with its byte order mark, which is told. */
export const textOf = (bytes: Bytes) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)

/** The bytes of a file; says why when there are none. */
export async function bytesOf(chosen: File | undefined): Promise<Bytes | undefined> {
  if (chosen === undefined) return undefined
  const { name, size } = chosen
  if (size > FILE_BYTES) {
    toast(`${name} is larger than ${FILE_BYTES >> 20} MiB. For such files there is: blazon canonicalize FILE`)
    return undefined
  }
  try {
    return new Uint8Array(await chosen.arrayBuffer())
  } catch {
    toast(`${name} cannot be read: it is a folder, or is no longer there.`)
    return undefined
  }
}
