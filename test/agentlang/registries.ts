// A real registry (Debian's docker-registry), and a small one that behaves as a test wants.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sealContainer } from '../../bindings/agentlang/container/seal.ts'
import { generateKey, type PrivateKey } from '../../bindings/keys/index.ts'
import { freePort } from '../support/port.ts'

export const sha256 = (bytes: Uint8Array | string): string =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`
export const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text)

let developer: Promise<PrivateKey> | undefined
export const developerKey = (): Promise<PrivateKey> => {
  developer ??= generateKey('Ed25519')
  return developer
}

/** A signed container of acme/coach. */
export async function containerOf(
  version: string,
  files: Readonly<Record<string, string | Uint8Array>> = {},
  own = {},
) {
  const named = { name: 'coach', version, developer: 'acme', ...own }
  const agent = `name: ${named.name}\nversion: ${version}\ndeveloper: ${named.developer}\n`
  const all = Object.entries({ 'agent.yaml': agent, ...files })
  const bytes = all.map(([path, content]) => [path, typeof content === 'string' ? encode(content) : content] as const)
  return sealContainer({ ...named, files: new Map(bytes), key: await developerKey() })
}

export interface RealRegistry {
  readonly host: string
  close(): void
}

/** Starts docker-registry with files in a new folder. `users` is a file of htpasswd. */
export async function realRegistry(users?: string): Promise<RealRegistry> {
  const folder = mkdtempSync(join(tmpdir(), 'blazon-registry-'))
  const host = `127.0.0.1:${await freePort()}`
  if (users !== undefined) writeFileSync(join(folder, 'users'), users)
  const auth = users === undefined ? '' : `auth: { htpasswd: { realm: test, path: ${folder}/users } }\n`
  writeFileSync(
    join(folder, 'config.yml'),
    `version: 0.1\nlog: { level: error }\nstorage: { filesystem: { rootdirectory: ${folder}/data } }\nhttp: { addr: ${host} }\n${auth}`,
  )
  const server = spawn('docker-registry', ['serve', join(folder, 'config.yml')], { stdio: 'ignore' })
  const close = () => {
    server.kill()
    rmSync(folder, { recursive: true, force: true })
  }
  for (let tries = 0; ; tries++) {
    const answer = await fetch(`http://${host}/v2/`).catch(() => undefined)
    if (answer !== undefined) return { host, close }
    if (tries === 200) throw new Error('docker-registry does not start')
    await new Promise((done) => setTimeout(done, 50))
  }
}

export interface SmallRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly authorization: string | undefined
  readonly body: Buffer
}
type Handler = (request: SmallRequest, response: ServerResponse, message: IncomingMessage) => unknown

/** A registry of one repository in memory. `handle` may answer before it does, by returning true. */
export async function smallRegistry(handle: Handler = () => false) {
  const [blobs, manifests] = [new Map<string, Uint8Array>(), new Map<string, Uint8Array>()]
  const seen: SmallRequest[] = []
  const server = createServer(async (message, response) => {
    const { pathname: path, searchParams: query } = new URL(message.url!, 'http://x')
    const chunks: Buffer[] = []
    for await (const chunk of message) chunks.push(chunk)
    const { method = '', headers } = message
    const request = { method, path, query, authorization: headers.authorization, body: Buffer.concat(chunks) }
    seen.push(request)
    if (handle(request, response, message)) return
    const name = path.slice(path.lastIndexOf('/') + 1)
    const answer = (status: number, body?: Uint8Array, more: Record<string, string> = {}) =>
      response.writeHead(status, more).end(body)
    if (method === 'POST') answer(202, undefined, { location: `${path}one` })
    else if (method === 'PUT' && path.includes('/manifests/')) {
      manifests.set(name, request.body).set(sha256(request.body), request.body)
      answer(201)
    } else if (method === 'PUT') {
      const digest = query.get('digest') ?? ''
      if (sha256(request.body) !== digest) return answer(400)
      blobs.set(digest, request.body)
      answer(201)
    } else {
      const found = (path.includes('/blobs/') ? blobs : manifests).get(name)
      answer(found === undefined ? 404 : 200, found)
    }
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { host, seen, blobs, manifests, close }
}
