import { parse } from '../../bindings/document/parse.ts'
import { type Need, type NeedValues, needsOf } from '../../bindings/frame/needs.ts'
import type { Kind } from '../../bindings/kinds.ts'
import { make } from '../dom.ts'

/** What a reader can give: folders and secrets stay with the command line, and so does what a document is compared with. */
const isAsked = ({ takes, compares }: Need) => takes !== 'folder' && takes !== 'secret' && compares === undefined

/** Asks for what the proof of a kind needs in addition to keys. The files stay in this page. */
export class NeedsForm {
  readonly #place: HTMLElement
  readonly #changed: () => void
  #kind: Kind | undefined
  #fields: readonly (readonly [name: string, need: Need, input: HTMLInputElement])[] = []

  constructor(place: HTMLElement, changed: () => void) {
    this.#place = place
    this.#changed = changed
  }

  /** Keeps what the reader gave while documents are of the same kind. */
  show(kind: Kind | undefined): void {
    if (kind === this.#kind) return
    this.#kind = kind
    const needs = Object.entries(needsOf(kind)).filter(([, need]) => isAsked(need))
    this.#fields = needs.map(([name, need]) => [name, need, this.#inputFor(need)])
    this.#place.hidden = needs.length === 0
    const fields = this.#fields.map(([, need, input]) => labelled(need, input))
    this.#place.replaceChildren(make('h3', '', 'What the proof needs'), ...fields)
  }

  /** What the reader gave, by the names of the needs. */
  async given(): Promise<NeedValues> {
    const given: [string, NeedValues[string]][] = []
    for (const [name, { takes }, { files, value, checked }] of this.#fields) {
      const read = await Promise.all(Array.from(files ?? [], readFile))
      if (takes === undefined) given.push([name, checked])
      else if (takes === 'text' && value.trim() !== '') given.push([name, value.trim()])
      else if (takes === 'files') given.push([name, read])
      else if (read[0] !== undefined)
        given.push([name, takes === 'document' ? { ...parse(read[0].bytes), file: read[0].file } : read[0]])
    }
    return Object.fromEntries(given.filter(([, value]) => value !== false && !(Array.isArray(value) && !value.length)))
  }

  #inputFor({ takes }: Need): HTMLInputElement {
    const input = make('input')
    input.type = takes === undefined ? 'checkbox' : takes === 'text' ? 'text' : 'file'
    input.multiple = takes === 'files'
    input.addEventListener('change', this.#changed)
    return input
  }
}

function labelled({ about }: Need, input: HTMLInputElement): HTMLElement {
  const [first = '', ...rest] = about.replace(/^for [^:]+: /, '')
  return make('p', '', [make('label', '', [`${first.toUpperCase()}${rest.join('')} `, input])])
}

const readFile = async (file: File) => ({ file: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })
