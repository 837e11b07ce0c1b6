import { pathToFileURL } from 'node:url'
import { build } from 'esbuild'
import type { SelftestResult } from '../../bindings/selftest/index.ts'
import { findChromium } from '../../scripts/setup.mjs'
import { type Host, PATIENCE_MS } from './host.ts'

/** Nothing is served: every request of the page is answered here. localhost, so that the page is a secure context. */
const ORIGIN = 'http://localhost'
const PLAYWRIGHT = 'test/node_modules/playwright-core/index.mjs'
const ARGS = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking', '--no-first-run']

export const chromium: Host = {
  name: 'chromium',
  async run(job) {
    const found = findChromium()
    if (!found.available) return { reason: found.reason }
    const { outputFiles } = await build({
      entryPoints: ['test/hosts/page.ts'],
      bundle: true,
      format: 'esm',
      target: 'es2022',
      platform: 'browser',
      write: false,
      logOverride: { 'ignored-bare-import': 'silent' },
    })
    const script = outputFiles[0]!.text
    // This file runs as a part of a bundle elsewhere, from where the packages of tests are not found by name.
    const { chromium: launcher } = (await import(pathToFileURL(PLAYWRIGHT).href)) as typeof import('playwright-core')
    const browser = await launcher.launch({ executablePath: found.how, args: ARGS })
    try {
      const page = await browser.newPage()
      await page.route(`${ORIGIN}/**`, (route) => {
        const { pathname } = new URL(route.request().url())
        if (pathname === '/job') return route.fulfill({ body: Buffer.from(job) })
        if (pathname === '/page.js') return route.fulfill({ contentType: 'text/javascript', body: script })
        return route.fulfill({ contentType: 'text/html', body: '<script type="module" src="page.js"></script>' })
      })
      const answered = page.waitForRequest(`${ORIGIN}/answer`, { timeout: PATIENCE_MS })
      const tested = page.waitForRequest(`${ORIGIN}/selftest`, { timeout: PATIENCE_MS })
      const failed = new Promise<never>((_, reject) => page.on('pageerror', reject))
      await page.goto(`${ORIGIN}/`)
      const [selftest, request] = await Promise.race([Promise.all([tested, answered]), failed])
      return {
        version: browser.version(),
        answer: request.postDataBuffer()!,
        selftest: selftest.postDataJSON() as SelftestResult,
      }
    } finally {
      await browser.close()
    }
  },
}
