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
let gone: (() => void) | undefined

/** Says `text` to screen readers once typing pauses; a later text replaces it. */
export function announce(text: string): void {
  clearTimeout(speaking)
  speaking = setTimeout(() => {
    element('announcer').textContent = text
  }, QUIET_MS)
}

/** Shows a message for a while, in the place of the last one. One that offers something stays above later ones that do not. */
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
  // Screen readers tell changes of what is there, and the box was not.
  element('said').textContent = visibleText(text)
  hideLater(box, action === undefined ? TOAST_MS : ACTION_MS)
}

const hiding = new Map<HTMLElement, ReturnType<typeof setTimeout>>()

function hideLater(box: HTMLElement, pause: number): void {
  const again = () => {
    // Who points at it, or has come to its button, still wants it.
    if (box.matches(':hover, :focus-within')) hideLater(box, pause)
    else hide(box)
  }
  hiding.set(box, setTimeout(again, pause))
}

function hide(box: HTMLElement): void {
  clearTimeout(hiding.get(box))
  box.hidden = true
  if (box !== element('offer')) return
  // What it would bring back is not to stay in memory.
  box.querySelector('button')!.onclick = null
  const left = gone
  gone = undefined
  left?.()
}
