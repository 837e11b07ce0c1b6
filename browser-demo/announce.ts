import { element } from './dom.ts'

/** Long enough that a screen reader is not interrupted at every key. */
const QUIET_MS = 700
const TOAST_MS = 6000

let speaking: ReturnType<typeof setTimeout> | undefined
let hiding: ReturnType<typeof setTimeout> | undefined

/** Says `text` to screen readers once typing pauses; a later text replaces it. */
export function announce(text: string): void {
  clearTimeout(speaking)
  speaking = setTimeout(() => {
    element('announcer').textContent = text
  }, QUIET_MS)
}

/** Shows a message for a while, with one thing that can be done about it. */
export function toast(text: string, action?: { readonly label: string; readonly run: () => void }): void {
  const box = element('toast')
  const [words, button] = box.children as unknown as [HTMLElement, HTMLButtonElement]
  const hide = () => {
    box.hidden = true
  }
  box.hidden = false
  words.textContent = text
  button.hidden = action === undefined
  button.textContent = action?.label ?? ''
  button.onclick = () => {
    hide()
    action?.run()
  }
  clearTimeout(hiding)
  hiding = setTimeout(hide, TOAST_MS)
}
