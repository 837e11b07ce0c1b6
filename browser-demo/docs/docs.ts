import { element } from '../dom.ts'
import { load, setUpTheme } from '../saved.ts'
import { type Section, search } from './search.ts'

const MOST = 12
const HERE = (document.currentScript as HTMLScriptElement).src
/** A script, because a page from file:// cannot fetch. It calls `blazonDocs` with the sections. */
const INDEX = new URL('search-index.js', HERE).href
let sections: readonly Section[] | undefined

// Before the first paint. The choice itself appears later.
const theme = load('blazon.theme')
if (theme !== undefined) document.documentElement.dataset['theme'] = theme

function useSections(all: readonly Section[]): void {
  sections = all
  show()
}

function loadIndex(): void {
  if (document.querySelector(`script[src="${INDEX}"]`) !== null) return
  Object.assign(window, { blazonDocs: useSections })
  document.head.append(Object.assign(document.createElement('script'), { src: INDEX }))
}

function show(): void {
  const query = element<HTMLInputElement>('docs-query').value.trim()
  element('docs-found').hidden = query === '' || sections === undefined
  if (query === '' || sections === undefined) return
  const found = search(sections, query)
  element('docs-count').textContent = found.length === 0 ? 'Nothing found' : `${found.length} found`
  element('docs-results').replaceChildren(...found.slice(0, MOST).map((section) => row(section, query.split(/\s/)[0]!)))
}

function row([path, heading, page, text]: Section, word: string): HTMLElement {
  const link = Object.assign(document.createElement('a'), { href: new URL(path, HERE).href, textContent: heading })
  const at = Math.max(0, text.toLowerCase().indexOf(word.toLowerCase()) - 50)
  const about = `${page}${text === '' ? '' : ` · ${at > 0 ? '…' : ''}${text.slice(at, at + 130)}`}`
  const item = document.createElement('li')
  item.append(link, Object.assign(document.createElement('small'), { textContent: about }))
  return item
}

/** The arrows move between the words and the results; Escape closes them. */
function onKey(event: KeyboardEvent): void {
  const [query, stops] = [element('docs-query'), document.querySelectorAll<HTMLElement>('#docs-query, #docs-results a')]
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key] ?? 0
  if (step !== 0) stops[[...stops].indexOf(document.activeElement as HTMLElement) + step]?.focus()
  else if (event.key === 'Escape') element('docs-found').hidden = true
  else if (event.key === 'Enter' && document.activeElement === query) stops[1]?.click()
  else return
  event.preventDefault()
}

addEventListener('DOMContentLoaded', () => {
  setUpTheme()
  const [frame, query] = [element('docs-search'), element('docs-query')]
  frame.hidden = false
  query.addEventListener('focus', loadIndex)
  query.addEventListener('input', show)
  frame.addEventListener('keydown', onKey)
  addEventListener('keydown', (event) => {
    if (event.key !== '/' || document.activeElement === query) return
    event.preventDefault()
    query.focus()
  })
})
