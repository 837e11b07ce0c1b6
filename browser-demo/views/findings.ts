import type { Diagnostic, Severity } from '../../bindings/document/types.ts'
import { button, element, headline, make, paragraph, plural, restText, withCode } from '../dom.ts'
import * as engine from '../engine.ts'
import type { Examination } from '../examine.ts'
import { EXAMPLES } from '../examples.ts'
import { excerpt } from '../excerpt.ts'
import type { Workbench } from '../views.ts'
import { whyOf } from '../why.ts'
import type { View } from './view.ts'

/** More findings would slow the page; the count includes all of them. */
const SHOWN = 100

const WORDS = { error: 'Error', warning: 'Warning', info: 'Note' } as const

/** `2 errors, 1 warning`, or an empty string without findings. */
export function tally(diagnostics: readonly Diagnostic[]): string {
  return groups(diagnostics)
    .map(({ title }) => title)
    .join(', ')
}

/** By severity, in the order of the document. */
function groups(diagnostics: readonly Diagnostic[]) {
  const nouns: readonly (readonly [Severity, string])[] = [
    ['error', 'error'],
    ['warning', 'warning'],
    ['info', 'note'],
  ]
  return nouns.flatMap(([severity, noun]) => {
    const list = diagnostics.filter((diagnostic) => diagnostic.severity === severity)
    return list.length === 0 ? [] : [{ list, title: plural(list.length, noun) }]
  })
}

/** Errors, then warnings, then notes, each in the order of the document. */
export const worstFirst = (diagnostics: readonly Diagnostic[]) => groups(diagnostics).flatMap(({ list }) => list)

/** Lists of findings by severity, with at most 100 items together. */
export function findingLists(
  diagnostics: readonly Diagnostic[],
  item: (diagnostic: Diagnostic) => HTMLElement,
): Node[] {
  let room = SHOWN
  return groups(diagnostics).flatMap(({ list, title }) => {
    const shown = list.slice(0, room)
    room -= shown.length
    return shown.length === 0 ? [] : [make('h3', '', title), make('ol', '', shown.map(item))]
  })
}

/** The number of findings that the lists leave out, in words. */
export const restOf = ({ length }: readonly Diagnostic[]): string => restText(length - SHOWN, 'finding')

/** A finding: its place, the line that it is in, and why it is one. */
export function findingItem(
  diagnostic: Diagnostic,
  { place, line, more = [] }: { readonly place: HTMLElement; readonly line: string; readonly more?: readonly Node[] },
): HTMLLIElement {
  const { severity, title, detail, code, rule, spec, source, related } = diagnostic
  const li = make('li')
  li.dataset['severity'] = severity
  const head = headline(make('span', 'severity', WORDS[severity]), make('strong', '', title), place)
  li.append(head, make('p', '', withCode(detail)), frame(diagnostic, line))
  for (const { message } of related ?? []) li.append(paragraph('where', message))
  li.append(...more)
  const pointer = source.pointer === '' ? 'the document' : source.pointer
  li.append(make('p', 'where', `${code} · ${rule} · ${spec} · in ${pointer}`))
  const row = engine.findRule(rule, code)
  if (row !== undefined) li.append(whyOf(row))
  return li
}

/** Each finding with its place, its explanation and its fix. */
export class Findings implements View {
  readonly #workbench: Workbench

  constructor(workbench: Workbench) {
    this.#workbench = workbench
  }

  show(examination: Examination | undefined): void {
    const diagnostics = examination?.diagnostics ?? []
    element('finding-none').hidden = diagnostics.length > 0
    element('finding-none').replaceChildren(...(examination === undefined ? this.#welcome() : noFindings(examination)))
    element('finding-list').replaceChildren(...findingLists(diagnostics, (diagnostic) => this.#item(diagnostic)))
    const rest = restOf(diagnostics)
    element('finding-rest').hidden = rest === ''
    element('finding-rest').textContent = rest
  }

  #welcome(): Node[] {
    const list = make('ul', 'examples-list')
    for (const [name, { title, about }] of Object.entries(EXAMPLES)) {
      const item = make('li', '', [button(title, () => this.#workbench.openExample(name), 'link'), about])
      list.append(item)
    }
    return [paragraph('', 'Write an agent definition, open a file, or start with an example:'), list]
  }

  #item(diagnostic: Diagnostic): HTMLElement {
    const { severity, title, source, fix } = diagnostic
    const go = button(`Line ${source.line}, column ${source.column}`, () => this.#workbench.reveal(diagnostic))
    go.setAttribute('aria-label', `${WORDS[severity]}, ${title}: go to line ${source.line}, column ${source.column}`)
    return findingItem(diagnostic, {
      place: go,
      line: this.#workbench.lineText(source.line),
      more: fix === undefined ? [] : [this.#fix(diagnostic, fix.hint)],
    })
  }

  #fix(diagnostic: Diagnostic, hint: string): HTMLElement {
    const line = paragraph('fix', hint)
    if (diagnostic.fix?.edits === undefined) return line
    const apply = button('Apply', () => this.#workbench.apply(diagnostic))
    apply.setAttribute('aria-label', `Apply to line ${diagnostic.source.line}: ${hint}`)
    return make('div', 'fixing', [line, apply])
  }
}

function noFindings({ isChecked, format }: Examination): (string | Node)[] {
  if (isChecked) return [make('span', 'good', '✓ '), 'The document follows every rule.']
  return [
    make('span', 'good', '✓ '),
    `This is valid ${format.toUpperCase()}. `,
    ...withCode(
      'No other rules were checked, because its kind is unknown: agent definitions have the member `adl_spec`, cards an `id` with `agent://`.',
    ),
  ]
}

/** The line with carets below. Hidden from screen readers: they read the position already. */
function frame({ source }: Diagnostic, line: string): HTMLElement {
  const length = source.endLine === source.line ? source.endColumn - source.column : line.length - source.column + 1
  const { text, indent, carets } = excerpt(line, source.column, length)
  const pre = make('pre', '', `${text}\n${indent}`)
  pre.setAttribute('aria-hidden', 'true')
  pre.append(make('mark', '', carets))
  return pre
}
