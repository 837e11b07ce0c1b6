import { visibleText } from '../bindings/text/hidden.ts'
import { element } from './dom.ts'

/** Long enough that a screen reader is not interrupted at every key. */
const QUIET_MS = 700
const TOAST_MS = 6000
/** Who works by the keyboard needs time to reach what can be done. */
const ACTION_MS = 20_000

/** What can be done about a message, while that is in sight. */
interface Action {
  readonly label: string
  readonly run: () => void
  /** Called when it was not done and can be done no more. */
  readonly gone?: () => void
}

let speaking: ReturnType<typeof setTimeout> | undefined
let hiding: ReturnType<typeof setTimeout> | undefined
let offered: (Action & { readonly words: string }) | undefined

/** Says `text` to screen readers once typing pauses; a later text replaces it. */
export function announce(text: string): void {
  clearTimeout(speaking)
  speaking = setTimeout(() => {
    element('announcer').textContent = text
  }, QUIET_MS)
}

/** Shows a message for a while, with one thing that can be done about it. What can still be undone stays beside a later message. */
export function toast(text: string, action?: Action): void {
  if (action !== undefined) hide()
  clearTimeout(hiding)
  const box = element('toast')
  const [words, button] = box.children as unknown as [HTMLElement, HTMLButtonElement]
  const earlier = offered?.words
  if (action !== undefined) offered = { ...action, words: text }
  words.textContent = visibleText(earlier === undefined ? text : `${text} ${earlier}`)
  button.hidden = offered === undefined
  button.textContent = offered?.label ?? ''
  button.onclick = () => {
    const run = offered?.run
    offered = undefined
    hide()
    run?.()
  }
  box.hidden = false
  // Screen readers tell changes of what is there, and the box was not.
  element('said').textContent = visibleText(text)
  hideLater(offered === undefined ? TOAST_MS : ACTION_MS)
}

function hideLater(pause: number): void {
  hiding = setTimeout(() => {
    // Who points at it, or has come to its button, still wants it.
    if (element('toast').matches(':hover, :focus-within')) hideLater(pause)
    else hide()
  }, pause)
}

function hide(): void {
  clearTimeout(hiding)
  const box = element('toast')
  box.hidden = true
  // What it would bring back is not to stay in memory.
  box.querySelector('button')!.onclick = null
  const left = offered
  offered = undefined
  left?.gone?.()
}
