import type { Output } from './host.ts'

const fs = process.getBuiltinModule('node:fs')

/**
 * What the process writes to its standard output (1) or error (2). A terminal has a stream of Node's; to all else is
 * written here: to set a stream up takes 3 ms of the start, and it tells its faults when nobody can answer for them.
 */
export function outputTo(descriptor: 1 | 2, openStream: () => NodeJS.WriteStream): Output {
  if (isTerminal(descriptor)) return quietWhenClosed(openStream())
  let stream: Output | undefined
  return {
    write(chunk) {
      if (stream !== undefined) return stream.write(chunk)
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
      for (let at = 0; at < bytes.length; ) {
        try {
          at += fs.writeSync(descriptor, bytes, at)
        } catch (error) {
          // Of a full disk behind stderr nobody can be told: the exit code says what there is to say.
          if (descriptor === 2 && !['EAGAIN', 'EPIPE'].includes(codeOf(error)!)) return
          if (codeOf(error) !== 'EAGAIN') return endWhenClosed(error)
          // The pipe is full, and whoever made it lets nobody wait for room: streams are told when there is some.
          stream = quietWhenClosed(openStream())
          return stream.write(bytes.subarray(at))
        }
      }
    },
  }
}

/** What is closed, or unknown, is left to Node, too. */
function isTerminal(descriptor: number): boolean {
  try {
    const stats = fs.fstatSync(descriptor)
    if (stats.isFile() || stats.isFIFO() || stats.isSocket()) return false
    return !stats.isCharacterDevice() || process.getBuiltinModule('node:tty').isatty(descriptor)
  } catch {
    return true
  }
}

function quietWhenClosed(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  return stream.on('error', endWhenClosed)
}

/** When the reader goes away (`blazon ... | head -1`), the program ends silently: nobody is left to tell. */
function endWhenClosed(error: unknown): void {
  if (codeOf(error) !== 'EPIPE') throw error
  process.exit()
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code
