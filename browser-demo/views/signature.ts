import { agentIdOf } from '../../bindings/card/agent-uri.ts'
import { inJson, withEdits, withValues } from '../../bindings/document/edit.ts'
import { removeMember } from '../../bindings/document/fixes.ts'
import type { Document } from '../../bindings/document/parse.ts'
import type { Proof, Step } from '../../bindings/frame/source.ts'
import { exportKey, fingerprint, generateKey, importKey, type Key } from '../../bindings/keys/index.ts'
import { rowOf } from '../../bindings/kinds.ts'
import { sign } from '../../bindings/sign.ts'
import { isObject, member } from '../../bindings/text/members.ts'
import { button, copyText, element, make, onPick, paragraph, remark, toast } from '../dom.ts'
import * as engine from '../engine.ts'
import { proofOf } from '../proof.ts'
import { download, stepItem, verdictLine } from '../steps.ts'
import { NeedsForm } from './needs.ts'
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
  readonly #needs = new NeedsForm(element('proof-needs'), () => this.#shown && this.show(this.#shown))
  #shown: Readable | undefined

  constructor(goTo: GoTo, edit: Edit) {
    this.#goTo = goTo
    this.#signing = new Signing(edit, () => this.#shown && this.show(this.#shown))
  }

  async show(examination: Readable): Promise<void> {
    this.#shown = examination
    this.#needs.show(examination.kind)
    this.#signing.show(examination)
    const { kind } = examination
    element('sign-it').hidden = kind !== undefined && !rowOf(kind).isSigned
    const proved = this.#prove(examination).catch((error: Error) => [
      make('p', 'bad', `✕ The signature could not be checked: ${error.message}`),
    ])
    const shown = await emptyMeanwhile(element('proof'), proved)
    // A later document may have finished first.
    if (this.#shown === examination) element('proof').replaceChildren(...shown)
  }

  /** Verifies with the keys in the document, or if they verify nothing, with the reader's own key. */
  async #prove(examination: Readable): Promise<HTMLElement[]> {
    const given = await this.#needs.given()
    const isAsked = Object.keys(given).length > 0
    const proof = isAsked ? await engine.verify(examination.document, { given }) : await proofOf(examination)
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
    return stepItem(
      step,
      detail,
      button(`Line ${line}`, () => this.#goTo(pointer)),
    )
  }
}

/** A private key, with its public properties. */
interface Own {
  readonly key: Key
  readonly thumbprint: string
  /** The id of agents whose cards it signs; only Ed25519 keys have one. */
  readonly id: string | undefined
  /** Generated here and not saved by the reader yet: it would be lost with the page. */
  isUnsaved: boolean
}

const ANOTHER = 'The key was replaced by another one.'

/** The largest file that is read as a key. */
const KEY_BYTES = 65_536

/** Generates or opens a key, and signs the document with it. Only this object holds the key. */
export class Signing {
  readonly #edit: Edit
  readonly #changed: () => void
  #own: Own | undefined
  #shown: Readable | undefined

  /** @param changed called when the key changes. */
  constructor(edit: Edit, changed: () => void) {
    this.#edit = edit
    this.#changed = changed
    element('make-key').addEventListener('click', () => this.#take(generateKey(), true))
    onPick('open-key', 'key-file', ([file]) => file && this.#take(readKey(file), false))
    addEventListener('beforeunload', (event) => {
      if (this.#own?.isUnsaved !== true) return
      event.preventDefault()
      // Older browsers need it.
      event.returnValue = true
    })
  }

  /** The public key of the reader's key. */
  get key(): Key | undefined {
    return this.#own?.key.publicKey
  }

  show(shown: Readable): void {
    this.#shown = shown
    element('signing').replaceChildren()
    this.#draw()
  }

  async #take(coming: Promise<Key>, isUnsaved: boolean): Promise<void> {
    try {
      const key = await coming
      const id = key.kind === 'Ed25519' ? await agentIdOf(key) : undefined
      this.#use({ key, thumbprint: await fingerprint(key), id, isUnsaved }, ANOTHER)
    } catch (error) {
      toast(`The key could not be opened: ${(error as Error).message}`)
    }
  }

  /** Replaces or removes the key; Undo restores it. */
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
    const tools = make('div', 'actions', [
      button('Sign this document', () => this.#sign(own, this.#shown?.document), 'primary'),
      button('Download agent.key', async () => {
        download('agent.key', await pem(), 'application/x-pem-file')
        own.isUnsaved = false
      }),
      button('Copy the private key', async () => {
        if (await copyText(await pem(), 'The private key is copied. Anyone who has it can sign as you.'))
          own.isUnsaved = false
      }),
      button('Download agent.pub', async () =>
        download('agent.pub', await exportKey(key.publicKey, 'pem'), 'application/x-pem-file'),
      ),
      button('Forget the key', () => this.#use(undefined, 'The key was removed from this page.')),
    ])
    return [
      make('p', '', [`${key.kind}, thumbprint (RFC 7638): `, make('code', 'target', thumbprint)]),
      ...this.#idOf(id),
      tools,
    ]
  }

  /** The id of an agent with this key, and a button that writes it into a card. */
  #idOf(id: string | undefined): HTMLElement[] {
    const { kind, document } = this.#shown ?? {}
    if (kind !== 'card' || !isObject(document?.value)) return []
    if (id === undefined) return [paragraph('care', '! Agent Cards are signed with Ed25519. Make such a key.')]
    const line = make('p', '', ['Agent id ', make('code', 'target', id)])
    if (member(document.value, 'id') === id) return [line]
    const write = button('Write it into the card', () =>
      this.#edit(
        new TextDecoder().decode(withValues(inJson(document), [['/id', id]]).bytes),
        'The id was written into the card.',
        document,
      ),
    )
    return [line, make('div', 'actions', [write])]
  }

  /** Signs the shown document, or a changed copy of it, and opens the result in the editor. */
  async #sign(own: Own, document: Document | undefined): Promise<void> {
    const shown = this.#shown?.document
    if (document === undefined) return
    const result = await sign(document, own.key, { embedKey: true }).catch((error: Error) => error)
    if (result instanceof Error) return element('signing').replaceChildren(paragraph('bad', `✕ ${result.message}`))
    const { bytes, diagnostics } = result
    if (bytes !== undefined)
      this.#edit(`${new TextDecoder().decode(bytes).trimEnd()}\n`, 'The document is signed.', shown)
    element('signing').replaceChildren(...diagnostics.map((one) => remark(one)))
    // The document names another key, and its private key may be lost.
    if (!diagnostics.some(({ code, severity }) => code === 'KEY-132' && severity === 'error')) return
    const tools = make('div', 'actions', [
      button('Name this key in the document, and sign it', () => this.#sign(own, withoutKey(document))),
    ])
    element('signing').append(tools)
  }
}

/** The definition without its public key: signing then writes the key that signs. */
function withoutKey(document: Document): Document {
  const json = inJson(document)
  return withEdits(json, removeMember(json, '/cryptographic_identity/public_key').edits ?? [])
}

async function readKey(file: File): Promise<Key> {
  if (file.size > KEY_BYTES) throw new RangeError(`${file.name} is too large for a key.`)
  const key = await importKey((await file.text()).trim())
  if (key.type === 'private') return key
  throw new RangeError(`${file.name} has a public key: expected a private key, as blazon keygen writes it.`)
}
