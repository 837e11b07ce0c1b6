// The system's Chromium, driven by playwright-core, and the pages that it opens.
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { findChromium } from '../../scripts/setup.mjs'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Whether a browser was found to test with. If not, each test file prints that once. */
export const browser = findChromium()
if (!browser.available) console.error(`NOT RUN: page tests: ${browser.reason}`)

/** The page as a file: with separate scripts and style, and as the copy in one file. */
export const FILES = {
  index: pathToFileURL(`${ROOT}dist/site/app/index.html`).href,
  copy: pathToFileURL(`${ROOT}dist/site/app/blazon.html`).href,
}

/** @param args more of Chromium's own options. */
export async function launch(args: readonly string[] = []): Promise<Browser> {
  if (!browser.available) throw new Error(browser.reason)
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run']
  return chromium.launch({
    executablePath: browser.how,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', ...quiet, ...args],
  })
}

/** Puts a large text into the plain editor. fill() types it, which takes the browser minutes. */
export function put(page: Page, source: string): Promise<void> {
  return page.$eval(
    '#source',
    (area: HTMLTextAreaElement, source) => {
      area.value = source
      area.dispatchEvent(new Event('input'))
    },
    source,
  )
}

/** The processor time that a page and its workers use for something, in milliseconds. Wall time would include the work of others. */
export async function effortOf(page: Page, work: () => Promise<unknown>): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable')
  const spent = async () => {
    const { metrics } = await session.send('Performance.getMetrics')
    return metrics.find(({ name }) => name === 'ProcessTime')!.value * 1000
  }
  const before = await spent()
  await work()
  const effort = (await spent()) - before
  await session.detach()
  return effort
}

export interface Visit {
  readonly page: Page
  /** The addresses of all requests, by the page or its service worker. */
  readonly requests: string[]
  /** Uncaught errors and error messages of the console. */
  readonly errors: string[]
  close(): Promise<void>
}

/**
 * Opens an address in a new profile. By default with the plain editor, whose text area tests can fill and read, without
 * a service worker, which would fetch the whole page again, and without the example of a first visit, unless it
 * `isFirst`. A `script` runs before those of the page.
 */
export async function visit(
  from: Browser,
  url: string,
  {
    editor = 'plain',
    isFirst = false,
    script,
    ...options
  }: BrowserContextOptions & { editor?: 'plain' | 'rich'; isFirst?: boolean; script?: string } = {},
): Promise<Visit> {
  const context = await from.newContext({
    viewport: { width: 1280, height: 860 },
    serviceWorkers: 'block',
    // What moves takes time to draw, and clicks wait for it.
    reducedMotion: 'reduce',
    ...options,
  })
  if (editor === 'plain') await context.addInitScript("localStorage.setItem('blazon.editor', 'plain')")
  if (!isFirst) await context.addInitScript("localStorage['blazon.draft'] ??= ''")
  if (script !== undefined) await context.addInitScript(script)
  const requests: string[] = []
  const errors: string[] = []
  context.on('request', (request) => {
    // A blob is memory of the page itself: its worker is one.
    if (!request.url().startsWith('blob:')) requests.push(request.url())
  })
  // The default of 30 seconds is too short on a busy machine.
  context.setDefaultTimeout(240_000)
  const page = await context.newPage()
  page.on('pageerror', (error) => errors.push(String(error)))
  page.on('console', (message) => message.type() === 'error' && errors.push(message.text()))
  await page.goto(url)
  return { page, requests, errors, close: () => context.close() }
}
