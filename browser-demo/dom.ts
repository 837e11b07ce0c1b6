/** The element with this id; index.html has every id that the page's code asks for. */
export function element<E extends HTMLElement>(id: string): E {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`index.html has no #${id}`)
  return found as E
}

/** A new element with a class and text; text is only ever set as text, so no document can become markup. */
export function make(tag: string, className: string, text = ''): HTMLElement {
  const node = document.createElement(tag)
  if (className !== '') node.className = className
  node.textContent = text
  return node
}

/** A number with separators, such as `1,048,576`. */
export function count(n: number): string {
  return n.toLocaleString('en-US')
}

/** A number and its noun: `1 byte`, `2 bytes`. */
export function plural(n: number, noun: string): string {
  return `${count(n)} ${noun}${n === 1 ? '' : 's'}`
}
