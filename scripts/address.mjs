// The place of `npm start`: only this machine, at a free port, with a folder that no other server has. And the command
// line tool that it tells people to run.
import { createHash } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export const HOST = '127.0.0.1'
/** The exit code of serve.mjs when another program took its port after start.mjs had found it free. */
export const PORT_TAKEN = 75

/** The tool of this checkout, quoted for a shell in any folder. The bare name could be another package's. */
export const TOOL_PATH = new URL('../dist/cli/blazon.js', import.meta.url)
export const TOOL = `node ${quoted(fileURLToPath(TOOL_PATH))}`

export function quoted(path) {
  return /^[\w./:-]+$/.test(path) ? path : `"${path.replace(/["$`\\]/g, '\\$&')}"`
}

export function isFree(port) {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(false))
    probe.listen(port, HOST, () => probe.close(() => resolve(true)))
  })
}

/** Sends a request with JSON to the server, as the holder of a token. */
export function send(path, body, { origin, token, method = 'POST' }) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return fetch(origin + path, { method, headers, body })
}

const PATIENCE_MS = 20_000

/** The address of a folder's lock. It is relative if the folder is, because systems limit its length. */
function addressOf(folder) {
  if (process.platform !== 'win32') return join(folder, 'start.sock')
  return `\\\\.\\pipe\\blazon-${createHash('sha256').update(resolve(folder)).digest('hex').slice(0, 32)}`
}

/**
 * Takes the lock of a folder, a socket in it that the system closes however the process ends. If another process holds it, returns what that process says about itself. Otherwise
 * returns undefined, and from then on answers other processes with `say()`. Calls `onStale` and takes over a lock whose
 * holder was killed.
 */
export async function lock(folder, say, onStale) {
  mkdirSync(folder, { recursive: true })
  const address = addressOf(folder)
  if (await listens(address, say)) return undefined
  const holder = await ask(address)
  if (holder !== undefined) return holder
  onStale()
  rmSync(address, { force: true })
  if (!(await listens(address, say))) return ask(address)
}

/** False when another process holds the address, or held it before. */
function listens(address, say) {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.on('error', () => {}).end(say()))
    server.once('error', (error) => (error.code === 'EADDRINUSE' ? resolve(false) : reject(error)))
    server.unref().listen(address, () => {
      // The system closes the socket with the process, but leaves its name in the folder.
      process.on('exit', () => rmSync(address, { force: true }))
      resolve(true)
    })
  })
}

/** The answer of the holder; undefined when it is gone. */
function ask(address) {
  return new Promise((resolve, reject) => {
    let said = ''
    const socket = connect(address)
    socket.setTimeout(PATIENCE_MS, () => socket.destroy()).setEncoding('utf8')
    socket.on('data', (text) => (said += text))
    socket.on('close', () => resolve(said))
    socket.on('error', (error) =>
      ['ECONNREFUSED', 'ENOENT'].includes(error.code) ? resolve(undefined) : reject(error),
    )
  })
}
