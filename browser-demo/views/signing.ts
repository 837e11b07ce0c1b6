import { agentIdOf } from '../../bindings/card/peer-id.ts'
import type { Document } from '../../bindings/document/document.ts'
import { removeMember } from '../../bindings/document/fixes.ts'
import { inJson, withEdits, withValues } from '../../bindings/document/rewrite.ts'
import { exportKey, fingerprint, generateKey, importKey, type Key } from '../../bindings/keys/index.ts'
import { sign } from '../../bindings/sign.ts'
import { isObject, member } from '../../bindings/text/members.ts'
import { toast } from '../announce.ts'
import { copyText } from '../clipboard.ts'
import { button, element, make, paragraph } from '../dom.ts'
import { download } from '../download.ts'
import { remark } from '../remark.ts'
import type { Edit, Readable } from './view.ts'

/** A private key, with the part of it that is shown. */
interface Own {
  readonly key: Key
  readonly thumbprint: string
  /** The id of agents whose cards it signs; only Ed25519 has one. */
  readonly id: string | undefined
  /** Made here and not taken along yet: with the page it would be gone for good. */
  isLoose: boolean
}

const ANOTHER = 'Another key has taken the place of the one that was here.'

/** The longest file that is read as a key. */
const KEY_BYTES = 65_536

/** Makes a key, or opens one, and signs the document with it. The key lives in this object and nowhere else. */
export class Signing {
  readonly #edit: Edit
  readonly #changed: () => void
  #own: Own | undefined
  #shown: Readable | undefined

  /** @param changed called when there is another key. */
  constructor(edit: Edit, changed: () => void) {
    this.#edit = edit
    this.#changed = changed
    element('make-key').addEventListener('click', () => this.#take(generateKey(), true))
    const picker = element<HTMLInputElement>('key-file')
    element('open-key').addEventListener('click', () => picker.click())
    picker.addEventListener('change', () => {
      const [file] = picker.files ?? []
      if (file !== undefined) this.#take(readKey(file), false)
      picker.value = ''
    })
    addEventListener('beforeunload', (event) => {
      if (this.#own?.isLoose !== true) return
      event.preventDefault()
      // Older browsers ask for it.
      event.returnValue = true
    })
  }

  /** The public half of the key that is there. */
  get key(): Key | undefined {
    return this.#own?.key.publicKey
  }

  show(shown: Readable): void {
    this.#shown = shown
    element('signing').replaceChildren()
    this.#draw()
  }

  async #take(coming: Promise<Key>, isLoose: boolean): Promise<void> {
    try {
      const key = await coming
      const id = key.kind === 'Ed25519' ? await agentIdOf(key) : undefined
      this.#use({ key, thumbprint: await fingerprint(key), id, isLoose }, ANOTHER)
    } catch (error) {
      toast(`There is no key: ${(error as Error).message}`)
    }
  }

  /** Takes a key, or none, in the place of the one that was there, which Undo brings back. */
  #use(own: Own | undefined, words: string): void {
    const before = this.#own
    this.#own = own
    element('signing').replaceChildren()
    this.#draw()
    this.#changed()
    if (before !== undefined) toast(words, { label: 'Undo', run: () => this.#use(before, ANOTHER) })
  }

  #draw(): void {
    const own = this.#own
    element('own-key').replaceChildren(...(own === undefined ? [] : this.#aboutKey(own)))
  }

  #aboutKey(own: Own): HTMLElement[] {
    const { key, thumbprint, id } = own
    const pem = () => exportKey(key, 'pem')
    const tools = make('div', 'actions')
    tools.append(
      button('Sign this document', () => this.#sign(own, this.#shown?.document), 'primary'),
      button('Download agent.key', async () => {
        download('agent.key', await pem(), 'application/x-pem-file')
        own.isLoose = false
      }),
      button('Copy the private key', async () => {
        if (await copyText(await pem(), 'The private key is copied: whoever has it signs as you.')) own.isLoose = false
      }),
      button('Download agent.pub', async () =>
        download('agent.pub', await exportKey(key.publicKey, 'pem'), 'application/x-pem-file'),
      ),
      button('Forget the key', () => this.#use(undefined, 'The key is gone from this page.')),
    )
    const about = make('p', '', `${key.kind}, thumbprint `)
    about.append(make('code', 'target', thumbprint))
    return [about, ...this.#idOf(id), tools]
  }

  /** The id that an agent with this key has, and what writes it into a card. */
  #idOf(id: string | undefined): HTMLElement[] {
    const { kind, document } = this.#shown ?? {}
    if (kind !== 'card' || !isObject(document?.value)) return []
    if (id === undefined) return [paragraph('care', '! Agent Cards are signed with Ed25519: make such a key.')]
    const line = make('p', '', 'Agent id ')
    line.append(make('code', 'target', id))
    if (member(document.value, 'id') === id) return [line]
    const write = button('Write it into the card', () =>
      this.#edit(
        new TextDecoder().decode(withValues(inJson(document), [['/id', id]]).bytes),
        'The id is in the card.',
        document,
      ),
    )
    const tools = make('div', 'actions')
    tools.append(write)
    return [line, tools]
  }

  /** Signs a document, which is the one that is shown or made of it, and puts it in its place. */
  async #sign(own: Own, document: Document | undefined): Promise<void> {
    const shown = this.#shown?.document
    if (document === undefined) return
    const told = await sign(document, own.key, { embedKey: true }).catch((error: Error) => error)
    if (told instanceof Error) return element('signing').replaceChildren(paragraph('bad', `✕ ${told.message}`))
    const { bytes, diagnostics } = told
    if (bytes !== undefined)
      this.#edit(`${new TextDecoder().decode(bytes).trimEnd()}\n`, 'The document is signed.', shown)
    element('signing').replaceChildren(...diagnostics.map((one) => remark(one)))
    // The document names another key, whose private half may be lost.
    if (!diagnostics.some(({ code, severity }) => code === 'KEY-132' && severity === 'error')) return
    const tools = make('div', 'actions')
    tools.append(button('Name this key in the document, and sign it', () => this.#sign(own, withoutKey(document))))
    element('signing').append(tools)
  }
}

/** The definition without the public key in it, so that signing writes the one that signs. */
function withoutKey(document: Document): Document {
  const json = inJson(document)
  return withEdits(json, removeMember(json, '/cryptographic_identity/public_key').edits ?? [])
}

async function readKey(file: File): Promise<Key> {
  if (file.size > KEY_BYTES) throw new RangeError(`${file.name} is larger than a key is.`)
  const key = await importKey((await file.text()).trim())
  if (key.type === 'private') return key
  throw new RangeError(`${file.name} has the public half only: expected a private key, as blazon keygen writes it.`)
}
