import type { Output } from './host.ts'

const fs = process.getBuiltinModule('node:fs')

/**
 * Writes to standard output (1) or error (2) of the process. A terminal gets Node's stream. Files and pipes are written
 * directly: setting up a stream takes 3 ms, and its errors arrive too late to change the exit code.
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
          // A full disk after stderr cannot be reported anywhere; the exit code has to suffice.
          if (descriptor === 2 && !['EAGAIN', 'EPIPE'].includes(codeOf(error)!)) return
          if (codeOf(error) !== 'EAGAIN') return endWhenClosed(error)
          // The pipe is full, and a direct write cannot wait for room. A stream can.
          stream = quietWhenClosed(openStream())
          return stream.write(bytes.subarray(at))
        }
      }
    },
  }
}

/** Leaves closed and unknown descriptors to Node. */
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

/** Ends the program silently when the reader goes away (`blazon ... | head -1`). */
function endWhenClosed(error: unknown): void {
  if (codeOf(error) !== 'EPIPE') throw error
  process.exit()
}

const codeOf = (error: unknown) => (error as NodeJS.ErrnoException).code
