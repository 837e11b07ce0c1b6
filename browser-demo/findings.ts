import type { Diagnostic } from '../bindings/document/index.ts'
import { element, make, plural } from './dom.ts'
import { excerpt } from './excerpt.ts'

/** More findings than anybody reads would make the page slow; the count tells all. */
const SHOWN = 100

const WORDS = { error: 'Error', warning: 'Warning', info: 'Note' } as const

/** Lists the findings; a press on one calls `reveal` with it. */
export function showFindings(
  diagnostics: readonly Diagnostic[],
  lineText: (line: number) => string,
  reveal: (diagnostic: Diagnostic) => void,
): void {
  element('findings').hidden = diagnostics.length === 0
  element('finding-list').replaceChildren(
    ...diagnostics.slice(0, SHOWN).map((diagnostic) => item(diagnostic, lineText, reveal)),
  )
  const rest = diagnostics.length - SHOWN
  element('finding-rest').hidden = rest <= 0
  element('finding-rest').textContent = rest > 0 ? `and ${plural(rest, 'more finding')}` : ''
}

/** `2 errors, 1 warning`; empty when there are none. */
export function tally(diagnostics: readonly Diagnostic[]): string {
  const of = (severity: string) => diagnostics.filter((diagnostic) => diagnostic.severity === severity).length
  const parts = [
    [of('error'), 'error'],
    [of('warning'), 'warning'],
    [of('info'), 'note'],
  ] as const
  return parts
    .filter(([n]) => n > 0)
    .map(([n, noun]) => plural(n, noun))
    .join(', ')
}

function item(
  diagnostic: Diagnostic,
  lineText: (line: number) => string,
  reveal: (diagnostic: Diagnostic) => void,
): HTMLElement {
  const { severity, title, detail, code, spec, source, related, fix } = diagnostic
  const li = document.createElement('li')
  li.dataset['severity'] = severity

  const headline = make('div', 'headline')
  const go = make('button', '', `Line ${source.line}, column ${source.column}`) as HTMLButtonElement
  go.type = 'button'
  go.setAttribute('aria-label', `${WORDS[severity]}, ${title}: go to line ${source.line}, column ${source.column}`)
  go.addEventListener('click', () => reveal(diagnostic))
  headline.append(make('span', 'severity', WORDS[severity]), make('strong', '', title), go)

  const words = make('p', '')
  words.append(...withCode(detail))
  li.append(headline, words, frame(diagnostic, lineText(source.line)))
  for (const { message } of related ?? []) li.append(paragraph('where sentence', message))
  if (fix !== undefined) li.append(paragraph('where sentence', fix.hint))
  const pointer = source.pointer === '' ? 'the document' : source.pointer
  li.append(make('p', 'where', `${code} · ${spec} · in ${pointer}`))
  return li
}

function paragraph(className: string, text: string): HTMLElement {
  const node = make('p', className)
  node.append(...withCode(text))
  return node
}

/** Messages set names and tokens between backticks; here those become code. */
function withCode(text: string): Node[] {
  const parts = text.split('`')
  if (parts.length % 2 === 0) return [document.createTextNode(text)]
  return parts.map((part, i) => (i % 2 === 0 ? document.createTextNode(part) : make('code', '', part)))
}

/** The line with a caret below; read aloud it would only repeat the position. */
function frame({ source }: Diagnostic, line: string): HTMLElement {
  const length = source.endLine === source.line ? source.endColumn - source.column : line.length - source.column + 1
  const { text, indent, carets } = excerpt(line, source.column, length)
  const pre = make('pre', '', `${text}\n${indent}`)
  pre.setAttribute('aria-hidden', 'true')
  pre.append(make('mark', '', carets))
  return pre
}
