// The system's Chromium, driven by playwright-core, and the pages that it opens. All test files of a worker of Vitest share
// its browser, its page and the Worker that serves the build: starting these costs more than most tests.
import { fileURLToPath, pathToFileURL } from 'node:url'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { findChromium } from '../../scripts/setup.mjs'
import { type Server, startServer } from '../edge/server.ts'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** Whether a browser was found to test with. If not, each test file prints that once. */
export const browser = findChromium()
if (!browser.available) console.error(`NOT RUN: page tests: ${browser.reason}`)

const fileOf = (path: string) => pathToFileURL(`${ROOT}dist/site/${path}`).href
/** The page as a file: with separate scripts and style, and as the copy in one file. */
export const FILES = { index: fileOf('app/index.html'), copy: fileOf('app/blazon.html') }

export const WIDE = { width: 1280, height: 860 }
export const PHONE = { width: 390, height: 844 }

const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  // The names of servers on this machine.
  '--host-resolver-rules=MAP *.example.test 127.0.0.1',
]

let launched: Promise<Browser> | undefined
/** The browser of this worker of Vitest. Playwright closes it when Vitest ends the worker. */
export function launch(): Promise<Browser> {
  if (!browser.available) throw new Error(browser.reason)
  launched ??= chromium.launch({ executablePath: browser.how, args: ARGS })
  return launched
}

let server: Promise<Server> | undefined
/** The origin of a Worker that serves the build, for tests that write nothing to it. It ends with the worker of Vitest. */
export async function served(): Promise<string> {
  server ??= startServer()
  return (await server).origin
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

/** Drops a file of this many zeros, which is made in the page: sending it there takes longer than most tests. */
export function dropEmpty(page: Page, name: string, bytes: number): Promise<void> {
  return page.evaluate(
    ([name, bytes]) => {
      const dataTransfer = new DataTransfer()
      dataTransfer.items.add(new File([new Uint8Array(bytes)], name))
      dispatchEvent(new DragEvent('drop', { dataTransfer }))
    },
    [name, bytes] as const,
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

interface VisitOptions {
  /** By default the plain editor, whose text area tests can fill and read. */
  readonly editor?: 'plain' | 'rich'
  /** The saved document of an earlier visit; by default an empty one. The first visit shows an example. */
  readonly draft?: string
  readonly isFirst?: boolean
  readonly viewport?: { readonly width: number; readonly height: number }
  /** Opens a context for this visit instead of using the page of all tests, which has no second tab and keeps its clock. */
  readonly own?: BrowserContextOptions
  /** Runs before the scripts of the page, in a context of its own. */
  readonly script?: string
}

/** Opens a page in a new context, by default without a service worker, which would fetch the whole page again. */
async function open(options?: BrowserContextOptions): Promise<Visit> {
  const context = await (await launch()).newContext({
    serviceWorkers: 'block',
    // What moves takes time to draw, and clicks wait for it.
    reducedMotion: 'reduce',
    ignoreHTTPSErrors: true,
    ...options,
  })
  // The default of 30 seconds is too short on a busy machine.
  context.setDefaultTimeout(240_000)
  const page = await context.newPage()
  const visit: Visit = { page, requests: [], errors: [], close: () => context.close() }
  context.on('request', (request) => {
    // A blob is memory of the page itself: its worker is one.
    if (!request.url().startsWith('blob:')) visit.requests.push(request.url())
  })
  page.on('pageerror', (error) => visit.errors.push(String(error)))
  page.on('console', (message) => message.type() === 'error' && visit.errors.push(message.text()))
  return visit
}

let shared: Promise<Visit> | undefined

/**
 * Opens an address, by default below `/app/` of the served page, as a reader without other saved data. A new
 * context costs more than twice as much as the page that all tests use.
 */
export async function visit(address = '', options: VisitOptions = {}): Promise<Visit> {
  const { editor = 'plain', draft = '', isFirst = false, viewport = WIDE, own, script } = options
  const url = URL.canParse(address) ? address : new URL(address, `${await served()}/app/`).href
  const isOwn = own !== undefined || script !== undefined
  if (!isOwn) shared ??= open()
  const visit = isOwn ? await open(own) : await shared!
  const { page, requests, errors } = visit
  if (script !== undefined) await page.addInitScript(script)
  await page.setViewportSize(viewport)
  // The page saves its draft when it is left, so leave it before its data are removed.
  await page.goto(url.startsWith('file:') ? fileOf('robots.txt') : new URL('/robots.txt', url).href)
  await page.evaluate(
    (data) => {
      localStorage.clear()
      Object.assign(localStorage, data)
    },
    { ...(editor === 'plain' && { 'blazon.editor': 'plain' }), ...(!isFirst && { 'blazon.draft': draft }) },
  )
  for (const list of [requests, errors]) list.length = 0
  await page.goto(url)
  return visit
}

/** Enters a room of the open page by its address, and waits until its buttons work. */
export async function enter({ page }: Visit, room: string): Promise<void> {
  await page.evaluate((room) => {
    location.hash = room
  }, room)
  await page.locator(`#room-${room}:not([inert])`).waitFor()
}

/** What the page requested from others than its own origin, or as a file, than from files. */
export function foreign({ page, requests }: Visit): string[] {
  const own = page.url().startsWith('file:') ? 'file:' : new URL(page.url()).origin
  return requests.filter((url) => !url.startsWith(own) && !url.startsWith('data:'))
}

/** Opens everything that can be opened. */
export function openAll(page: Page, within: string): Promise<void> {
  return page
    .locator(within)
    .locator('details')
    .evaluateAll((all: HTMLDetailsElement[]) => {
      for (const one of all) one.open = true
    })
}

/** Controls that are smaller than 44 pixels, except links in sentences. */
export function smallTargets(page: Page, within = 'body'): Promise<string[]> {
  // A radio button or a checkbox is pressed by its label; the skip link is for keyboards.
  const targets = page
    .locator(within)
    .locator(
      'a:not(.skip), button, select, summary, input:not(.choice input, .flag input, label > [type="checkbox"]), .choice label, .flag, .member',
    )
  return targets.evaluateAll((all) =>
    all
      .filter((one) => one.checkVisibility())
      .filter((one) => !one.matches('main p > a') || one.textContent === one.parentElement!.textContent)
      .map((one) => [one.textContent || one.id, one.getBoundingClientRect()] as const)
      .filter(([, { width, height }]) => width < 44 || height < 44)
      .map(([words]) => words),
  )
}
