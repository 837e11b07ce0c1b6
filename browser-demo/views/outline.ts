import type { Document } from '../../bindings/document/parse.ts'
import type { Diagnostic } from '../../bindings/document/types.ts'
import { button, copyText, count, cut, element, make, plural } from '../dom.ts'
import * as engine from '../engine.ts'
import type { Examination } from '../examine.ts'
import { download } from '../steps.ts'
import type { GoTo, Readable, View } from './view.ts'

/** Members drawn at once; a row at the end shows as many more. */
const SHOWN = 200
const PREVIEW = 60
/** Levels that are expanded at first. */
const OPEN = 1

/** The members of a document as a tree (ARIA's tree pattern). Enter and a click select a member in the editor. */
export class Outline implements View {
  readonly #goTo: GoTo
  readonly #tree = element('outline')
  #document: Document | undefined

  constructor(goTo: GoTo) {
    this.#goTo = goTo
    this.#tree.addEventListener('keydown', (event) => this.#key(event))
    this.#tree.addEventListener('click', (event) => this.#click(event))
  }

  show({ document, diagnostics }: Readable): void {
    if (document === this.#document) return
    this.#document = document
    const opened = new Set(
      [...this.#tree.querySelectorAll<HTMLElement>('[aria-expanded="true"]')].map((row) => row.dataset['pointer']),
    )
    const state: State = {
      isOpen: (pointer, depth) => (opened.size === 0 ? depth < OPEN : opened.has(pointer)),
      found: findingsBelow(diagnostics),
    }
    this.#tree.replaceChildren(node('', 'document', document.value, 0, state))
    this.#tree.querySelector('[role="treeitem"]')?.setAttribute('tabindex', '0')
  }

  #click({ target }: MouseEvent): void {
    const row = (target as Element).closest<HTMLElement>('[role="treeitem"]')
    if (row === null) return
    this.#focus(row)
    if ((target as Element).closest('.twist') !== null) toggle(row)
    else this.#choose(row)
  }

  #choose(row: HTMLElement): void {
    const { pointer, more } = row.dataset
    if (more !== undefined) row.dispatchEvent(new Event('more'))
    else if (pointer !== undefined) this.#goTo(pointer)
  }

  #key(event: KeyboardEvent): void {
    const row = (event.target as Element).closest<HTMLElement>('[role="treeitem"]')
    if (row === null) return
    const rows = [...this.#tree.querySelectorAll<HTMLElement>('[role="treeitem"]')].filter(isShown)
    const at = rows.indexOf(row)
    const expanded = row.getAttribute('aria-expanded')
    const parent = row.parentElement?.closest<HTMLElement>('[role="treeitem"]')
    const moves: Readonly<Record<string, () => void>> = {
      ArrowDown: () => this.#focus(rows[at + 1]),
      ArrowUp: () => this.#focus(rows[at - 1]),
      Home: () => this.#focus(rows[0]),
      End: () => this.#focus(rows.at(-1)),
      ArrowRight: () => (expanded === 'false' ? toggle(row) : expanded === 'true' && this.#focus(rows[at + 1])),
      ArrowLeft: () => (expanded === 'true' ? toggle(row) : this.#focus(parent ?? undefined)),
      Enter: () => this.#choose(row),
      ' ': () => this.#choose(row),
    }
    if (!Object.hasOwn(moves, event.key)) return
    event.preventDefault()
    moves[event.key]!()
  }

  #focus(row: HTMLElement | undefined): void {
    if (row === undefined) return
    for (const other of this.#tree.querySelectorAll('[tabindex="0"]')) other.setAttribute('tabindex', '-1')
    row.tabIndex = 0
    row.focus()
  }
}

interface State {
  isOpen(pointer: string, depth: number): boolean
  /** Findings at a pointer and below it. */
  readonly found: ReadonlyMap<string, { readonly count: number; readonly hasError: boolean }>
}

function findingsBelow(diagnostics: readonly Diagnostic[]): State['found'] {
  const found = new Map<string, { count: number; hasError: boolean }>()
  for (const { severity, source } of diagnostics) {
    for (let pointer = source.pointer; pointer !== ''; pointer = pointer.slice(0, pointer.lastIndexOf('/'))) {
      const { count, hasError } = found.get(pointer) ?? { count: 0, hasError: false }
      found.set(pointer, { count: count + 1, hasError: hasError || severity === 'error' })
    }
  }
  return found
}

const isShown = (row: HTMLElement) => row.parentElement?.closest('[aria-expanded="false"]') === null

function toggle(row: HTMLElement): void {
  const open = row.getAttribute('aria-expanded') === 'false'
  row.setAttribute('aria-expanded', String(open))
  if (open) row.dispatchEvent(new Event('open'))
}

function node(pointer: string, name: string, value: unknown, depth: number, state: State): HTMLElement {
  const item = make('div')
  item.setAttribute('role', 'treeitem')
  item.tabIndex = -1
  item.dataset['pointer'] = pointer
  const line = make('div', 'member')
  const shown = make('span', `value ${typeOf(value)}`, preview(value))
  line.append(make('span', 'twist'), make('span', 'name', cut(name, PREVIEW)), shown)
  const found = state.found.get(pointer)
  if (found !== undefined) {
    const mark = make('span', found.hasError ? 'bad' : 'care', `${found.hasError ? '✕' : '!'} ${count(found.count)}`)
    mark.title = plural(found.count, 'finding')
    line.append(mark)
  }
  item.append(line)
  const children = membersOf(value)
  if (children.length === 0) return item
  const open = state.isOpen(pointer, depth)
  item.setAttribute('aria-expanded', String(open))
  const group = make('div')
  group.setAttribute('role', 'group')
  item.append(group)
  const fill = () => {
    if (group.childElementCount === 0) addMembers(group, pointer, children, depth, state)
  }
  item.addEventListener('open', fill)
  if (open) fill()
  return item
}

function addMembers(
  group: HTMLElement,
  pointer: string,
  members: readonly (readonly [string, unknown])[],
  depth: number,
  state: State,
): void {
  for (const [name, value] of members.slice(0, SHOWN)) {
    group.append(node(pointer + engine.formatPointer([name]), name, value, depth + 1, state))
  }
  const rest = members.slice(SHOWN)
  if (rest.length === 0) return
  const more = make('div', 'more', `${count(rest.length)} more`)
  more.setAttribute('role', 'treeitem')
  more.tabIndex = -1
  more.dataset['more'] = ''
  more.addEventListener('more', () => {
    more.remove()
    addMembers(group, pointer, rest, depth, state)
  })
  group.append(more)
}

function membersOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}

function typeOf(value: unknown): string {
  return value === null ? 'null' : typeof value
}

function preview(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[${count(value.length)}]`
  if (typeof value === 'object' && value !== null) {
    const { length } = Object.keys(value)
    return length === 0 ? '{}' : `{${count(length)}}`
  }
  return typeof value === 'string' ? JSON.stringify(cut(value, PREVIEW)) : String(value)
}

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
