import type { Diagnostic } from '../bindings/document/types.ts'
import { rowOf } from '../bindings/kinds.ts'
import { announce, button, element, plural } from './dom.ts'
import type { Examination } from './examine.ts'
import { tally, worstFirst } from './views/findings.ts'

/** As style.css has it. */
export const ONE_COLUMN = matchMedia('(max-width: 60rem)')
/** More findings would move the editor out of view. */
const PEEKED = 2

/** Shows the kind of the document and its verdict, and announces them to screen readers. */
export function showVerdict(examination: Examination | undefined, reveal: (finding: Diagnostic) => void): void {
  const [state, words] = verdict(examination)
  const pill = element('verdict')
  pill.dataset['state'] = state
  pill.textContent = words
  element('peek').replaceChildren(...(ONE_COLUMN.matches ? peek(examination?.diagnostics ?? [], pill, reveal) : []))
  const found = examination?.diagnostics.length ?? 0
  element('finding-count').textContent = found === 0 ? '' : String(found)
  element('source-size').textContent =
    examination === undefined ? '' : `${examination.format.toUpperCase()}, ${plural(examination.bytes, 'byte')}`
  const [first] = examination?.diagnostics ?? []
  announce(first === undefined ? `${words}.` : `${words}. Line ${first.source.line}: ${first.detail}`)
}

/** The verdict, which leads to all findings, and the worst ones, which lead to their places. */
function peek(diagnostics: readonly Diagnostic[], verdict: HTMLElement, reveal: (finding: Diagnostic) => void) {
  const all = button(verdict.textContent, () => element('tab-findings').focus(), 'verdict')
  all.dataset['state'] = verdict.dataset['state']
  const worst = worstFirst(diagnostics).slice(0, PEEKED)
  const items = worst.map((finding) => {
    const item = button(`Line ${finding.source.line}: ${finding.title}`, () => reveal(finding))
    item.dataset['severity'] = finding.severity
    return item
  })
  return [all, ...items]
}

function verdict(examination: Examination | undefined): [state: string, words: string] {
  if (examination === undefined) return ['empty', 'nothing to read yet']
  const { document, kind, isChecked, format, diagnostics } = examination
  const found = tally(diagnostics)
  if (document === undefined) return ['refused', found]
  const name = kind === undefined ? format.toUpperCase() : rowOf(kind).name
  const described = found === '' ? name : `${name}, ${found}`
  if (!isChecked) return ['plain', described]
  if (diagnostics.some(({ severity }) => severity === 'error')) return ['refused', described]
  return ['valid', `valid ${described}`]
}
