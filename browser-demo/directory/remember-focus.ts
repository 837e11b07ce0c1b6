import { element } from '../dom.ts'

/**
 * Returns a function that restores the focus after a list was redrawn: to the chip of the same tag, wherever it is, or
 * else to the result at the same index. Undefined if the focus is not in the list.
 */
export function rememberFocus(list: HTMLElement): (() => void) | undefined {
  const { activeElement: focused } = document
  const at = [...list.children].findIndex((item) => item.contains(focused))
  if (at < 0) return undefined
  const { skill } = (focused as HTMLElement).dataset
  return () => {
    // The reader may have moved the focus meanwhile.
    if (document.activeElement !== document.body && !list.contains(document.activeElement)) return
    const buttons = [...list.querySelectorAll('button')]
    const chip = buttons.find(({ dataset }) => skill !== undefined && dataset['skill'] === skill)
    const next = chip ?? list.children[at]?.querySelector('button') ?? buttons.at(-1) ?? element('query-text')
    next.focus({ preventScroll: chip === undefined })
  }
}
