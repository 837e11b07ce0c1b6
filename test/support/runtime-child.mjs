// Runs the Worker in a separate process that can be killed: node runtime-child.mjs '{ "folder", "persist", "bindings",
// "port" }'. Prints the address once the Worker answers.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fetch as fetchOrOpen, Miniflare } from 'miniflare'

const { folder, persist, bindings, port, advertises, requests, outbound, inspector } = JSON.parse(process.argv[2])
const files = readdirSync(folder).sort((a, b) => Number(b.endsWith('.js')) - Number(a.endsWith('.js')))
const modules = files.map((file) => {
  const path = join(folder, file)
  return file.endsWith('.wasm')
    ? { type: 'CompiledWasm', path, contents: readFileSync(path) }
    : { type: 'ESModule', path, contents: readFileSync(path, 'utf8') }
})
const rate = (limit) => ({ simple: { limit, period: 60 } })
/** Headers of the connection, not of the request. */
const HOP = ['host', 'connection', 'content-length', 'transfer-encoding', 'upgrade', 'accept-encoding', 'expect']
const object = (className) => ({ className, useSQLite: true })
const outside = (request) => {
  const url = `http://127.0.0.1:${outbound}/?${encodeURIComponent(request.url)}`
  const headers = [...request.headers].filter(([name]) => !HOP.includes(name) && !name.startsWith('sec-websocket-'))
  // The platform's fetch cannot open a WebSocket.
  if (request.headers.has('upgrade')) return fetchOrOpen(url, { headers: [...headers, ['upgrade', 'websocket']] })
  return fetch(url, {
    method: request.method,
    headers,
    body: request.body,
    duplex: 'half',
    redirect: 'manual',
  })
}
const miniflare = new Miniflare({
  modulesRoot: folder,
  modules,
  compatibilityDate: '2026-04-01',
  host: '127.0.0.1',
  port,
  ...(inspector !== undefined && { inspectorPort: inspector }),
  durableObjects: {
    AGENTS: object('Agent'),
    GATEWAYS: object('Gateway'),
    DOCUMENTS: object('Documents'),
    DIRECTORY_MAP: object('DirectoryMap'),
    DIRECTORY_SHARDS: object('DirectoryShard'),
    SENDERS: object('Sender'),
    MODERATION: object('Moderation'),
  },
  durableObjectsPersist: persist,
  ratelimits: { ADVERTISES: rate(advertises), QUERIES: rate(requests), CHECKS: rate(requests) },
  // Requests of the Worker go to the tests, which see the requested address.
  outboundService: outside,
  serviceBindings: { TASKS: outside },
  bindings,
})
console.log((await miniflare.ready).origin)
