import { randomBytes } from 'node:crypto'
import { link, open, realpath, rename, stat, unlink } from 'node:fs/promises'
import type { WriteOptions } from './host.ts'

/** Writes a file beside its place first, so that a reader sees the old bytes or the new ones, and a crash leaves either. */
export async function writeFile(to: string, bytes: Uint8Array, options: WriteOptions = {}): Promise<void> {
  const { create = false } = options
  // A link stays one: what it leads to is written.
  const path = create ? to : await realpath(to).catch(() => to)
  const mode = options.mode ?? (create ? undefined : await modeOf(path))
  const aside = `${path}.${randomBytes(6).toString('hex')}.tmp`
  const file = await open(aside, 'wx', mode ?? 0o666)
  try {
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    // A link is refused where there is a file already; a rename would replace it.
    if (create) await link(aside, path)
    else await rename(aside, path)
  } finally {
    await unlink(aside).catch(() => undefined)
  }
}

async function modeOf(path: string): Promise<number | undefined> {
  return stat(path).then(
    ({ mode }) => mode & 0o777,
    () => undefined,
  )
}
