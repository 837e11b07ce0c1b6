import type { FindingInfo } from '../bindings/document/finding.ts'
import { make, paragraph } from './dom.ts'

/** The explanation of a rule, created when the reader opens it. */
export function whyOf(rule: Pick<FindingInfo, 'why' | 'bad' | 'good'>): HTMLElement {
  const details = make('details', 'stack')
  details.append(make('summary', '', 'Why, and how to write it'))
  const fill = () => {
    const examples = make('dl', 'examples')
    for (const [name, text] of [
      ['✕ Not', rule.bad],
      ['✓ But', rule.good],
    ] as const) {
      const code = make('dd')
      code.append(make('pre', '', text))
      examples.append(make('dt', name.startsWith('✓') ? 'good' : 'bad', name), code)
    }
    details.append(paragraph('', rule.why), examples)
  }
  details.addEventListener('toggle', fill, { once: true })
  return details
}
