// What a browser sends when it fetches a document: nothing about the user, not even to the page's own server.
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { startTls } from '../support/tls.ts'
import { browser, launch } from './browser.ts'

/** The library as one script, as an application bundles it. */
async function script(): Promise<string> {
  const contents = `
    import { fetchDocument } from './bindings/net/fetch.ts'
    import { dohResolver } from './bindings/discover/dns/lookup.ts'
    import { fallbackAgent } from './bindings/discover/trust/host.ts'
    globalThis.asked = Promise.all([
      fetchDocument(location.origin + '/agent.json', 'application/json', fallbackAgent()),
      dohResolver(location.origin + '/dns-query')(new Uint8Array(12)).catch((error) => error.message),
    ])`
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: '.', loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    alias: { '#wasm': './dist/wasm/module.inline.js' },
    logLevel: 'error',
  })
  return outputFiles[0]!.text
}

test.runIf(browser.available)('sends no cookie, no referrer, and no name except the browser’s own', async () => {
  const seen: Record<string, (string | undefined)[]> = {}
  const library = await script()
  const server = await startTls((request, response) => {
    const { cookie, referer, 'user-agent': agent } = request.headers
    const path = request.url!.replace(/\?.*/, '')
    seen[path] = [cookie, referer, agent?.slice(0, 8)]
    if (path === '/') {
      response.writeHead(200, { 'content-type': 'text/html', 'set-cookie': 'session=secret; Secure' })
      response.end(`<script type="module" src="/script.js"></script>`)
    } else if (path === '/script.js') response.writeHead(200, { 'content-type': 'text/javascript' }).end(library)
    else response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  const context = await (await launch()).newContext({ ignoreHTTPSErrors: true })
  try {
    const page = await context.newPage()
    page.setDefaultTimeout(240_000)
    await page.goto(`${server.origin}/`)
    await page.waitForFunction('globalThis.asked')
    const [outcome] = (await page.evaluate('globalThis.asked')) as [{ ok: boolean }]
    expect(outcome.ok).toBe(true)
    expect(seen['/script.js']).toEqual(['session=secret', `${server.origin}/`, 'Mozilla/'])
    for (const path of ['/agent.json', '/dns-query'])
      expect(seen[path], path).toEqual([undefined, undefined, 'Mozilla/'])
  } finally {
    await context.close()
    await server.close()
  }
})
