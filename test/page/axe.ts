// What axe finds: rules of accessibility that a page breaks.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import type { Page } from 'playwright-core'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Rules broken and where; evaluated past the page's policy, which would refuse the script. */
export async function violations(page: Page, within = 'document'): Promise<string[]> {
  await page.evaluate(AXE)
  const results: AxeResults = await page.evaluate(`axe.run(${within})`)
  return results.violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}
