import { rowOf } from '../bindings/kinds.ts'
import { announce, element, plural } from './dom.ts'
import type { Examination } from './examine.ts'
import { tally } from './views/findings.ts'

/** Shows the kind of the document and its verdict, and announces them to screen readers. */
export function showVerdict(examination: Examination | undefined): void {
  const [state, words] = verdict(examination)
  const pill = element('verdict')
  pill.dataset['state'] = state
  pill.textContent = words
  const found = examination?.diagnostics.length ?? 0
  element('finding-count').textContent = found === 0 ? '' : String(found)
  element('source-size').textContent =
    examination === undefined ? '' : `${examination.format.toUpperCase()}, ${plural(examination.bytes, 'byte')}`
  const [first] = examination?.diagnostics ?? []
  announce(first === undefined ? `${words}.` : `${words}. Line ${first.source.line}: ${first.detail}`)
}

function verdict(examination: Examination | undefined): [state: string, words: string] {
  if (examination === undefined) return ['empty', 'nothing to read yet']
  const { document, kind, isChecked, format, diagnostics } = examination
  const found = tally(diagnostics)
  if (document === undefined) return ['refused', found]
  const name = kind === undefined ? format.toUpperCase() : rowOf(kind).name
  if (!isChecked) return ['plain', found === '' ? name : `${name}, ${found}`]
  if (diagnostics.some(({ severity }) => severity === 'error')) return ['refused', found]
  return ['valid', found === '' ? `valid ${name}` : `valid ${name}, ${found}`]
}
