import { visibleText } from '../bindings/text/hidden.ts'
import { element } from './dom.ts'

/** Long enough that a screen reader is not interrupted at every keystroke. */
const QUIET_MS = 700
const TOAST_MS = 6000
/** Keyboard users need time to reach the button. */
const ACTION_MS = 20_000

/** The button of a message. */
interface Action {
  readonly label: string
  readonly run: () => void
  /** Called when the message disappears and its button was not pressed. */
  readonly gone?: () => void
}

let speaking: ReturnType<typeof setTimeout> | undefined
let gone: (() => void) | undefined

/** Announces `text` to screen readers once typing pauses; a later text replaces it. */
export function announce(text: string): void {
  clearTimeout(speaking)
  speaking = setTimeout(() => {
    element('announcer').textContent = text
  }, QUIET_MS)
}

/** Shows a message for a while; it replaces the last one. A message with an action stays above later ones without. */
export function toast(text: string, action?: Action): void {
  const offer = element('offer')
  const note = element('note')
  hide(note)
  if (action !== undefined) {
    hide(offer)
    const button = offer.querySelector('button')!
    button.textContent = action.label
    gone = action.gone
    button.onclick = () => {
      gone = undefined
      hide(offer)
      action.run()
    }
  }
  const box = action === undefined ? note : offer
  box.querySelector('span')!.textContent = visibleText(text)
  box.hidden = false
  // Screen readers announce changes only of elements that were visible before; the box was hidden.
  element('said').textContent = visibleText(text)
  hideLater(box, action === undefined ? TOAST_MS : ACTION_MS)
}

const hiding = new Map<HTMLElement, ReturnType<typeof setTimeout>>()

function hideLater(box: HTMLElement, pause: number): void {
  const again = () => {
    // A reader who points at it, or has the focus in it, still needs it.
    if (box.matches(':hover, :focus-within')) hideLater(box, pause)
    else hide(box)
  }
  hiding.set(box, setTimeout(again, pause))
}

function hide(box: HTMLElement): void {
  clearTimeout(hiding.get(box))
  box.hidden = true
  if (box !== element('offer')) return
  // The action may hold a large document; free it.
  box.querySelector('button')!.onclick = null
  const left = gone
  gone = undefined
  left?.()
}
