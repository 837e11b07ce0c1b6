import type { FindingInfo } from '../bindings/document/finding.ts'
import { foldedPart, make, paragraph } from './dom.ts'

/** The explanation of a rule, created when the reader opens it. */
export function whyOf(rule: Pick<FindingInfo, 'why' | 'bad' | 'good'>): HTMLElement {
  const example = (tone: string, name: string, text: string) => [
    make('dt', tone, name),
    make('dd', '', [make('pre', '', text)]),
  ]
  return foldedPart('Why, and how to write it', () => [
    paragraph('', rule.why),
    make('dl', 'examples', [...example('bad', '✕ Not', rule.bad), ...example('good', '✓ But', rule.good)]),
  ])
}
