import { watch } from 'node:fs'
import { writeFile as createFile, link, lstat, mkdir, open, rename, rm, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { UsageError } from './command.ts'
import type { Watch, WriteOptions } from './host.ts'

/**
 * Writes a temporary file next to the target and renames it: readers see the old bytes or the new ones, even after a
 * crash. Refuses to write through a link: another user may have put it there to redirect the write.
 */
export async function writeFile(to: string, bytes: Uint8Array, options: WriteOptions = {}): Promise<void> {
  const { create = false, makeFolder } = options
  if (makeFolder) await mkdir(dirname(to), { recursive: true })
  const before = create ? undefined : await lstat(to).catch(() => undefined)
  if (before?.isSymbolicLink()) throw Object.assign(new Error('it is a link; name its target'), { code: 'ELINK' })
  const mode = options.mode ?? (before && before.mode & 0o777)
  const aside = `${to}.${ownName()}.tmp`
  const file = await open(aside, 'wx', mode ?? 0o666)
  try {
    try {
      await file.writeFile(bytes)
      await file.sync()
    } finally {
      await file.close()
    }
    // A link cannot replace an existing file, as a rename would.
    if (create) await link(aside, to)
    else await rename(aside, to)
  } finally {
    await unlink(aside).catch(() => undefined)
  }
}

/** `node:crypto` would load nine modules more than `crypto`. */
const ownName = () => crypto.randomUUID().slice(24)

/** Writes a new folder with files: a temporary one next to it gets its name when all are written. */
export async function writeFolder(to: string, files: ReadonlyMap<string, Uint8Array>): Promise<void> {
  if ((await lstat(to).catch(() => undefined)) !== undefined)
    throw Object.assign(new Error(`${to} exists`), { code: 'EEXIST' })
  const aside = `${to}.${ownName()}.tmp`
  await mkdir(aside)
  try {
    for (const [path, bytes] of files) {
      const at = join(aside, path)
      await mkdir(dirname(at), { recursive: true })
      await createFile(at, bytes, { flag: 'wx' })
    }
    await rename(aside, to)
  } catch (error) {
    await rm(aside, { recursive: true, force: true })
    throw error
  }
}

/** An editor writes a file in several steps; changes within this time count as one. */
const SETTLE_MS = 60

/** Watches folders instead of files: editors replace files, and a watcher of the old file would miss later changes. */
export function watchFolders(folders: readonly string[]): Watch {
  let settle = () => {}
  const event = new Promise<void>((resolve) => {
    settle = () => setTimeout(resolve, SETTLE_MS)
  })
  const watchers: ReturnType<typeof watch>[] = []
  const close = () => {
    for (const watcher of watchers) watcher.close()
  }
  for (const folder of folders) {
    try {
      watchers.push(watch(folder).once('change', settle).on('error', settle))
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOENT') settle()
      else {
        close()
        throw new UsageError('unwatchable', `${folder} cannot be watched (${code})`, 'name a folder with fewer files')
      }
    }
  }
  return { event, close }
}
