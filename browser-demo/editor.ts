import type { Diagnostic } from '../bindings/document/types.ts'
import { element } from './dom.ts'
import { PlainEditor } from './plain.ts'
import { load, save } from './saved.ts'
import type { Surface } from './surface.ts'
import type { Place } from './text.ts'

/**
 * The source pane: the plain text area of the page until CodeMirror is loaded. The text area stays if CodeMirror is
 * unavailable or the reader does not want it.
 */
export class Editor implements Surface {
  readonly #plain: PlainEditor
  readonly #changed: () => void
  readonly #toggle = element<HTMLButtonElement>('plain')
  #surface: Surface
  /** The number of the last choice; earlier ones are dropped. */
  #choices = 0
  /** CodeMirror, once the reader has chosen it. */
  #rich: Promise<Surface> | undefined

  /** @param changed called after each change by the reader. */
  constructor(changed: () => void) {
    this.#changed = changed
    this.#plain = new PlainEditor(changed)
    this.#surface = this.#plain
    this.#toggle.addEventListener('click', () => this.#use(this.#surface === this.#plain ? 'rich' : 'plain'))
    if (load('blazon.editor') !== 'plain') void this.#show('rich')
  }

  get text(): string {
    return this.#surface.text
  }

  set text(text: string) {
    this.#surface.text = text
  }

  get selection(): readonly [from: number, to: number] {
    return this.#surface.selection
  }

  set selection(selection: readonly [from: number, to: number]) {
    this.#surface.selection = selection
  }

  mark(diagnostics: readonly Diagnostic[], format: 'json' | 'yaml'): void {
    this.#surface.mark(diagnostics, format)
  }

  reveal(start: Place, end: Place): void {
    this.#surface.reveal(start, end)
  }

  replace(from: number, to: number, text: string): void {
    this.#surface.replace(from, to, text)
  }

  focus(): void {
    this.#surface.focus()
  }

  async #use(kind: 'plain' | 'rich'): Promise<void> {
    save('blazon.editor', kind === 'plain' ? kind : undefined)
    await this.#show(kind)
  }

  async #show(kind: 'plain' | 'rich'): Promise<void> {
    const mine = ++this.#choices
    const surface = kind === 'plain' ? this.#plain : await this.#loaded()
    // The reader chose the other editor while this one loaded.
    if (mine !== this.#choices) return
    this.#toggle.textContent = surface === this.#plain ? 'Full editor' : 'Plain text area'
    if (surface === this.#surface) return
    const hadFocus = this.#plain.area === document.activeElement
    const { text, selection } = this.#surface
    surface.text = text
    this.#surface = surface
    element('editor').dataset['kind'] = surface === this.#plain ? 'plain' : 'rich'
    surface.selection = selection
    if (hadFocus) surface.focus()
    element('editor').dispatchEvent(new Event('swapped'))
  }

  /** CodeMirror, or the plain editor if CodeMirror is unavailable. */
  async #loaded(): Promise<Surface> {
    this.#rich ??= import('./codemirror.ts').then(({ createEditor }) => createEditor(element('rich'), this.#changed))
    try {
      return await this.#rich
    } catch {
      this.#rich = undefined
      return this.#plain
    }
  }
}
