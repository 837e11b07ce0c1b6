// Allows one process at a time per folder, with a socket in it that the system closes however the process ends.
import { createHash } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join, resolve } from 'node:path'

const PATIENCE_MS = 20_000

/**
 * The address of a folder's lock. It is relative if the folder is, because systems limit the length of a socket's path.
 */
function addressOf(folder) {
  if (process.platform !== 'win32') return join(folder, 'start.sock')
  return `\\\\.\\pipe\\blazon-${createHash('sha256').update(resolve(folder)).digest('hex').slice(0, 32)}`
}

/**
 * Takes the lock of a folder. If another process holds it, returns what that process says about itself. Otherwise
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
