import { element, onPick, toast } from '../dom.ts'
import type { Editor } from '../editor.ts'
import { holdsPrivateKey } from '../engine.ts'
import { EXAMPLES } from '../examples.ts'
import type { DroppedContent } from '../rooms.ts'
import { load, save } from '../saved.ts'
import { holdsLink, linkHash, linkText } from '../share.ts'
import type { AgentFolder } from './folder.ts'

const FILE_BYTES = 8 << 20
/** Mail programs and chats cut longer links. */
const LONG_LINK = 8000

type Bytes = Uint8Array<ArrayBuffer>

/** A document of the editor: its text, its bytes if it is a file, and its folder if it was opened with one. */
interface Shown {
  readonly text: string
  readonly file?: Bytes | undefined
  readonly folder?: AgentFolder | undefined
}

/** Brings documents into the editor: files, links, examples and results. Undo restores a document that was replaced. */
export class Intake {
  readonly #editor: Editor
  readonly #check: () => void
  readonly #draft: Draft
  readonly #choice = element<HTMLSelectElement>('example')
  /** The number of the last document: a slow file or link must not replace a later document. */
  #arrivals = 0
  #from: Omit<Shown, 'text'> = {}
  /** False until the first document: after a reload, browsers restore the text of a text area, which does not count. */
  #isBegun = false
  /** The open example, and the document that it replaced. Arrow keys open many examples; Undo must restore that document. */
  #example: { readonly text: string; readonly before: Shown } | undefined

  /** @param check called for each new document. */
  constructor(editor: Editor, check: () => void) {
    this.#editor = editor
    this.#check = check
    this.#draft = new Draft(() => editor.text)
    this.#setUp()
  }

  /** The bytes of an opened file, until the text is edited: decoding could hide their faults. */
  get file(): Bytes | undefined {
    return this.#from.file
  }

  /** The folder of an opened agent, until the text is edited. */
  get folder(): AgentFolder | undefined {
    return this.#from.folder
  }

  /** Call it when the reader has changed the text. */
  edited(): void {
    this.#came({})
    this.#leaveLink()
    this.#draft.keepSoon()
  }

  /** Opens a document in the editor, and saves it. */
  take(document: Shown, words = 'It replaced the previous document.'): void {
    this.#replace(document, words)
    this.#draft.keep()
  }

  /** Opens the agent.yaml of a folder or container. Conversions also use its other files. */
  async openAgent(dropped: DroppedContent): Promise<void> {
    const mine = ++this.#arrivals
    const { readFolder } = await import('./folder.ts')
    const read = await readFolder(dropped)
    if (mine !== this.#arrivals) return
    if (typeof read === 'string') toast(read)
    else if (holdsPrivateKey(read.text)) toast('agent.yaml contains a private key, so it was not opened.')
    else this.take(read, 'The agent replaced the previous document.')
  }

  async openFile(chosen: File | undefined): Promise<void> {
    if (chosen?.name.endsWith('.agent')) return this.openAgent({ files: [chosen], entries: [], target: null })
    const mine = ++this.#arrivals
    const file = await bytesOf(chosen)
    if (file === undefined || mine !== this.#arrivals) return
    const text = decodeText(file)
    const { name } = chosen!
    // The editor's text is saved in the browser and goes into share links.
    if (holdsPrivateKey(text))
      toast(
        `${name} contains a private key, so it was not opened. To sign with it, use Open a key file under Signature.`,
      )
    else this.take({ text, file }, `${name} replaced the previous document.`)
  }

  openExample(name: string): void {
    const example = EXAMPLES[name]
    if (example === undefined) return
    const text = example.text()
    const before = this.#example?.text === this.#editor.text ? this.#example.before : this.#shown()
    this.#replace({ text }, 'The example replaced your draft.', before)
    this.#example = { text, before }
    this.#choice.value = name
  }

  /** Opens the document of the link, or else the draft, or on the first visit an example with findings. */
  async follow(): Promise<void> {
    // Without a link nothing is awaited, so the draft comes before a document that another room opens.
    const isOpen = holdsLink(location.hash) && (await this.#openLink())
    if (isOpen || this.#isBegun) return
    const { kept } = this.#draft
    if (kept === undefined) this.openExample('faulty')
    else this.#put({ text: kept })
  }

  #setUp(): void {
    onPick('open', 'file', ([file]) => this.openFile(file))
    for (const [name, { title }] of Object.entries(EXAMPLES)) this.#choice.append(new Option(title, name))
    this.#choice.addEventListener('change', () => this.openExample(this.#choice.value))
    element('share').addEventListener('click', () => this.#share())
    element('clear').addEventListener('click', () => {
      this.take({ text: '' }, 'The document was cleared, also from the storage of this browser.')
      this.#editor.focus()
    })
  }

  #shown(): Shown {
    return { ...this.#from, text: this.#isBegun ? this.#editor.text : '' }
  }

  #came(from: Omit<Shown, 'text'>): void {
    this.#arrivals++
    this.#from = from
    this.#isBegun = true
    this.#choice.value = ''
  }

  #put({ text, ...from }: Shown): void {
    this.#draft.settle()
    this.#editor.text = text
    this.#came(from)
    this.#check()
  }

  /** Replaces the document; Undo restores it. */
  #replace(document: Shown, words: string, before = this.#shown()): void {
    this.#put(document)
    this.#leaveLink()
    this.#offer(before, words)
  }

  /** Offers to restore the previous document; that can also be undone. */
  #offer(before: Shown, words: string): void {
    if (before.text === '' || before.text === this.#editor.text) return
    const run = () => {
      this.#replace(before, 'The previous document is back.')
      this.#draft.keep()
    }
    toast(words, { label: 'Undo', run })
  }

  /** Removes the link from the address after a change: a reload would open its document instead of the reader's work. */
  #leaveLink(): void {
    if (holdsLink(location.hash)) history.replaceState(null, '', location.pathname + location.search)
  }

  /** False if the link cannot be opened. The saved draft is kept until the reader types. */
  async #openLink(): Promise<boolean> {
    const mine = ++this.#arrivals
    try {
      const text = await linkText(location.hash)
      if (mine !== this.#arrivals) return true
      const before = this.#shown()
      this.#put({ text: text! })
      const own = this.#draft.kept
      if (before.text !== own) this.#offer(before, 'The document of the link replaced the previous one.')
      if (own && own !== text && (before.text === own || before.text === '')) {
        toast('This document comes from the link. Your own draft is kept until you type.', {
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
    // The link would open a document that is no longer in the editor.
    if (text !== this.#editor.text) return toast('The document changed meanwhile. Share it again.')
    history.replaceState(null, '', hash)
    const { length } = location.href
    const note =
      length > LONG_LINK
        ? ` It is ${length.toLocaleString('en-US')} characters long; some programs cut such links.`
        : ''
    try {
      await navigator.clipboard.writeText(location.href)
      toast(`The link is copied. It contains the document.${note}`)
    } catch {
      toast(`The link is in the address bar. It contains the document.${note}`)
    }
  }
}

/** The text of a file, with its byte order mark, which is a finding. */
export const decodeText = (bytes: Bytes) => new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)

/** The bytes of a file; shows a message if it is too large or cannot be read. */
export async function bytesOf(chosen: File | undefined): Promise<Bytes | undefined> {
  if (chosen === undefined) return undefined
  const { name, size } = chosen
  if (size > FILE_BYTES) {
    toast(
      `${name} is larger than ${FILE_BYTES >> 20} MiB. For larger files, use the command line: blazon canonicalize FILE`,
    )
    return undefined
  }
  try {
    return new Uint8Array(await chosen.arrayBuffer())
  } catch {
    toast(`${name} cannot be read: it is a folder, or was deleted.`)
    return undefined
  }
}

const PAUSE_MS = 400

const PRIVATE =
  'The document contains a private key, so the page does not save or share it. To sign with the key, use Open a key file under Signature.'
const TOO_LARGE = 'The document is too large to save in this browser. The next visit shows the last one that was saved.'
const REFUSED = 'This browser saves nothing for this page. The document is lost when you close it.'
const ELSEWHERE = 'Another tab has saved its document over the one in this tab.'

/** Saves the document of the editor in the browser, for the next visit. */
class Draft {
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
