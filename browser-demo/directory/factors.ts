// The factors of a score, on the page and on that of the Worker's directory.
import type { FactorShare } from '../../bindings/directory/types.ts'
import { foldedPart, make, table } from '../dom.ts'

/** The bar shows the score, each part the contribution of a factor. The legend has the same numbers. */
export function scoreBar(score: number, why: readonly FactorShare[]): HTMLElement {
  const shares = make('div', 'shares')
  const strip = make('div', 'strip')
  strip.setAttribute('aria-hidden', 'true')
  const legend = make('p', 'legend')
  for (const { factor, contribution } of why) {
    const part = make('span', 'share')
    part.dataset['factor'] = factor
    part.style.width = `${100 * contribution}%`
    strip.append(part)
    const entry = make('span', 'share-name', `${factor} ${contribution.toFixed(3)}`)
    entry.dataset['factor'] = factor
    legend.append(entry, ' ')
  }
  strip.title = `score ${score.toFixed(3)}`
  shares.append(strip, legend)
  return shares
}

/** A table of the factors, drawn when the reader opens it. */
export function factorsOf(name: string, why: readonly FactorShare[]): HTMLDetailsElement {
  const rows = why.map(({ factor, value, weight, contribution, reason }) => [
    factor,
    value.toFixed(3),
    weight.toFixed(3),
    contribution.toFixed(3),
    reason,
  ])
  const heads = ['Factor', 'Value (0 to 1)', 'Weight', 'Contribution', 'Reason']
  // Drawing 20 tables that stay closed would take longer than ranking.
  return foldedPart('All factors', () => [table(`Factors of ${name}`, heads, rows)])
}
