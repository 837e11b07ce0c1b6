// What axe finds: accessibility rules that a page breaks.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The rules that depend on colours. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block']
/** The pages have no media, and axe-core would fetch their style again. */
const QUICK = { preload: false, resultTypes: ['violations'] }

/** Narrower pages have the colours of wide ones. */
const NARROW = 600
const PASSES = {
  wide: [
    ['dark', { runOnly: OF_COLOURS }],
    ['light', {}],
  ],
  narrow: [['light', { rules: Object.fromEntries(OF_COLOURS.map((rule) => [rule, { enabled: false }])) }]],
} as const

/**
 * The broken rules and their places, in light and in dark colours. In dark ones only the rules about colours run: the
 * others have the same result. Chromium evaluates the script, because the page's policy would refuse it.
 */
export async function violations(page: Page, within = 'document'): Promise<string[]> {
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(AXE)
  const found: string[] = []
  for (const [colorScheme, rules] of PASSES[page.viewportSize()!.width < NARROW ? 'narrow' : 'wide']) {
    await page.emulateMedia({ colorScheme })
    const results: AxeResults = await page.evaluate(`axe.run(${within}, ${JSON.stringify({ ...rules, ...QUICK })})`)
    for (const { id, nodes } of results.violations)
      found.push(...nodes.map(({ target }) => `${colorScheme}, ${id}: ${target.join(' ')}`))
  }
  return found
}
