import { dirname } from 'node:path'
import type { Host } from '../host.ts'

/** The bytes of a file, and then those that other programs append to it. Never ends while the folder is watched. */
export async function* growing(path: string, host: Host): AsyncGenerator<Uint8Array> {
  for (let offset = 0; ; ) {
    // Begun before the file is read, so that nothing in between is missed.
    const watch = await host.watch([dirname(path)])
    try {
      for await (const chunk of host.open(path, offset)) {
        offset += chunk.length
        yield chunk
      }
      if (watch === undefined) return
      await watch.event
    } finally {
      watch?.close()
    }
  }
}
