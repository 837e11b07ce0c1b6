import type { Proof, Step, Verdict } from '../bindings/frame/source.ts'
import { cut, headline, lineList, make, paragraph, titled } from './dom.ts'

const LONGEST = 600

const OUTCOMES = {
  passed: '✓ Passed',
  failed: '✕ Failed',
  warning: '! Warning',
  skipped: '– Skipped',
  unknown: '? Unknown',
} as const

const TONES: Readonly<Record<Verdict, readonly [tone: string, mark: string]>> = {
  verified: ['good', '✓'],
  failed: ['bad', '✕'],
  unverifiable: ['care', '?'],
}

/** The line of a verdict, with its mark and its colour. */
export function verdictLine(verdict: Verdict, words: string): HTMLParagraphElement {
  const [tone, mark] = TONES[verdict]
  return make('p', `outcome ${tone}`, `${mark} ${words}`)
}

/** A step of a proof: its detail as a paragraph; `more` follows its title. */
export function stepItem(
  { name, title, outcome, spec }: Step,
  detail: HTMLParagraphElement,
  ...more: readonly Node[]
): HTMLLIElement {
  const item = make('li')
  item.dataset['outcome'] = outcome
  item.dataset['step'] = name
  const head = headline(make('span', 'severity', OUTCOMES[outcome]), make('strong', '', title), ...more)
  head.append(make('span', 'where', spec))
  item.append(head, detail)
  return item
}

/** A proof under a heading: its verdict, its steps, and what it shows. */
export function proofPart(title: string, proof: Proof, words: string): HTMLElement {
  const items = proof.steps.map((step) => stepItem(step, paragraph('', cut(step.detail, LONGEST))))
  return titled(title, verdictLine(proof.verdict, words), make('ol', 'steps', items), ...conclusions(proof))
}

/** What a proof shows, and what it does not. */
export function conclusions({ shows = [], doesNotShow = [] }: Proof): HTMLElement[] {
  const list = (title: string, lines: readonly string[]) => {
    if (lines.length === 0) return []
    return [make('h5', '', title), lineList(lines.map((words) => cut(words, LONGEST)))]
  }
  return [...list('This shows', shows), ...list('This does not show', doesNotShow)]
}

/** Downloads bytes or text as a file. */
export function download(name: string, content: BlobPart, type: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([content], { type }))
  link.download = name
  link.click()
  // The browser reads the URL after this task, so it must live a little longer.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000)
}
