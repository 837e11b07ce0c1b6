// What axe finds: accessibility rules that a page breaks.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The rules that depend on colours. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block']

/**
 * The broken rules and their places. Chromium evaluates the script, because the page's policy would refuse it. In dark
 * colours only the rules about colours run: the others have the same result as in light colours.
 */
export async function violations(page: Page, within = 'document'): Promise<string[]> {
  await page.evaluate(AXE)
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
  const options = isDark ? { runOnly: OF_COLOURS } : {}
  const results: AxeResults = await page.evaluate(`axe.run(${within}, ${JSON.stringify(options)})`)
  return results.violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}
