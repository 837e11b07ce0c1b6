// One process at a time for a folder: a socket in it, which the system closes with the process however that ends.
import { createHash } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join, resolve } from 'node:path'

const PATIENCE_MS = 20_000

/** The address of a folder's lock. Systems bound the length of a socket's path, so it is short where the folder's is. */
function addressOf(folder) {
  if (process.platform !== 'win32') return join(folder, 'start.sock')
  return `\\\\.\\pipe\\blazon-${createHash('sha256').update(resolve(folder)).digest('hex').slice(0, 32)}`
}

/**
 * Takes the folder. Gives what its holder says of itself where there is one, otherwise undefined: from then on `say()`
 * is told to whoever asks. A lock whose holder was killed is taken over, after `onStale`.
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

/** False when somebody holds the address, or did. */
function listens(address, say) {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.on('error', () => {}).end(say()))
    server.once('error', (error) => (error.code === 'EADDRINUSE' ? resolve(false) : reject(error)))
    server.unref().listen(address, () => {
      // The system closes it with the process, and leaves its name in the folder.
      process.on('exit', () => rmSync(address, { force: true }))
      resolve(true)
    })
  })
}

/** The answer of the holder; undefined when it has gone. */
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
