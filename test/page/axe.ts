// What axe finds: rules of accessibility that a page breaks.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The rules whose answer depends on the colours. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block']

/**
 * Rules broken and where. Evaluated past the page's policy, which would refuse the script. In dark colours only the rules
 * about colours run: the others answer as they do in light ones.
 */
export async function violations(page: Page, within = 'document'): Promise<string[]> {
  await page.evaluate(AXE)
  const isDark = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)
  const options = isDark ? { runOnly: OF_COLOURS } : {}
  const results: AxeResults = await page.evaluate(`axe.run(${within}, ${JSON.stringify(options)})`)
  return results.violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}
