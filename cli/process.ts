import { version } from '../package.json'
import type { Host } from './host.ts'

/** The running process as a host. Its streams are set up when first asked for: stdin alone costs milliseconds. */
export function processHost(): Host {
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
      const { createReadStream } = await import('node:fs')
      yield* createReadStream(path, { highWaterMark: 1 << 20 })
    },
    list: async (path) => (await import('./inputs/list.ts')).listFolder(path),
    fetch: Object.assign(
      async (input: string, init?: RequestInit) => (await import('./net/fetch.ts')).guardedFetch()(input, init),
      { checksAddresses: true },
    ),
    write: async (path, bytes, options) => (await import('./write-file.ts')).writeFile(path, bytes, options),
    changed: async (paths) => (await import('./watch.ts')).nextChange(paths),
    send: (url, init) => fetch(url, init),
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
