import { version } from '../package.json'
import type { Host } from './host.ts'

/** Most documents come whole with the first read. */
const FIRST_READ = 1 << 15
const LATER_READS = 1 << 20

/** The running process as a host. Its streams are set up when first asked for: stdin alone costs milliseconds. */
export function processHost(): Host {
  const first = new Uint8Array(FIRST_READ)
  let files: typeof import('node:fs') | undefined
  return {
    version,
    get stdin() {
      return process.stdin
    },
    get stdout() {
      return quietWhenClosed(process.stdout)
    },
    get stderr() {
      return quietWhenClosed(process.stderr)
    },
    env: process.env,
    get cwd() {
      return process.cwd()
    },
    async *open(path) {
      // By hand: what streams are made of takes longer to load than most files to read.
      files ??= await import('node:fs')
      const { closeSync, openSync, readSync } = files
      const file = openSync(path, 'r')
      try {
        for (let chunk = first; ; chunk = new Uint8Array(LATER_READS)) {
          const size = chunk.length
          let filled = 0
          for (let length = 1; length > 0 && filled < size; filled += length) {
            length = readSync(file, chunk, filled, size - filled, null)
          }
          // Of what most files are shorter than there is one for all, and who reads keeps no more than the file.
          if (filled > 0) yield chunk === first ? chunk.slice(0, filled) : chunk.subarray(0, filled)
          if (filled < size) return
        }
      } finally {
        closeSync(file)
      }
    },
    list: async (path) => (await import('./inputs/list.ts')).listFolder(path),
    fetch: Object.assign(
      async (input: string, init?: RequestInit) => (await import('./net/fetch.ts')).guardedFetch()(input, init),
      { checksAddresses: true },
    ),
    write: async (path, bytes, options) => (await import('./write-file.ts')).writeFile(path, bytes, options),
    changed: async (paths) => (await import('./watch.ts')).nextChange(paths),
    send: (url, init) => fetch(url, init),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    now: () => performance.now(),
  }
}

const watched = new WeakSet<NodeJS.WriteStream>()

/** A reader that goes away (`blazon ... | head -1`) ends the program without a word: nobody is left to tell. */
function quietWhenClosed(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  if (!watched.has(stream)) {
    watched.add(stream)
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
      process.exit()
    })
  }
  return stream
}
