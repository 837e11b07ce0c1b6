/**
 * The service worker: after the first visit the page works without a network. It knows only the page's own files, lets
 * everything else pass, and requests nothing but those files.
 */

/** Filled in by scripts/page.mjs: the files of this build, and a name that changes with any of them. */
declare const FILES: readonly string[]
declare const BUILD: string

/** The parts of the service worker's scope that are used here; lib.webworker conflicts with lib.dom. */
interface Scope {
  readonly registration: { readonly scope: string }
  readonly clients: { claim(): Promise<void> }
  skipWaiting(): Promise<void>
  addEventListener(
    type: 'install' | 'activate',
    listen: (event: { waitUntil(work: Promise<unknown>): void }) => void,
  ): void
  addEventListener(
    type: 'fetch',
    listen: (event: { readonly request: Request; respondWith(answer: Promise<Response>): void }) => void,
  ): void
}
const scope = self as unknown as Scope

const PREFIX = 'blazon-page-'
const CACHE = PREFIX + BUILD
const PATIENCE_MS = 2000

const ownUrls = new Set(FILES.map((file) => new URL(file, scope.registration.scope).href))

async function install(): Promise<void> {
  const cache = await caches.open(CACHE)
  await cache.addAll([...ownUrls].map((url) => new Request(url, { cache: 'no-cache' })))
  await scope.skipWaiting()
}

async function activate(): Promise<void> {
  const old = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE)
  await Promise.all(old.map((name) => caches.delete(name)))
  await scope.clients.claim()
}

/** The page itself comes from the network if that answers soon, so that a new version is shown at once. */
async function page(request: Request): Promise<Response> {
  const kept = await caches.match(scope.registration.scope)
  try {
    const answer = await fetch(request, kept === undefined ? {} : { signal: AbortSignal.timeout(PATIENCE_MS) })
    return answer.ok || kept === undefined ? answer : kept
  } catch (error) {
    if (kept === undefined) throw error
    return kept
  }
}

/** The other files are named after their content, so cached copies never become stale. */
async function file(request: Request): Promise<Response> {
  return (await caches.match(request)) ?? fetch(request)
}

scope.addEventListener('install', (event) => event.waitUntil(install()))
scope.addEventListener('activate', (event) => event.waitUntil(activate()))
scope.addEventListener('fetch', (event) => {
  const { request } = event
  const url = request.url.replace(/[?#].*$/, '')
  if (request.method !== 'GET' || !ownUrls.has(url)) return
  event.respondWith(url === scope.registration.scope ? page(request) : file(request))
})
