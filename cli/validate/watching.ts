import { dirname, resolve } from 'node:path'
import type { Host } from '../host.ts'
import { expand, filesIn, filesOfFolder, isUrl, type Names } from '../inputs.ts'

/** Resolves to true once there is a change, and to false when nobody watches any more. */
export type Change = () => Promise<boolean>

/**
 * Starts watching the named files, even missing ones, everything in folders and globs, and the other files of agents.
 * Changes count from now on, not only once the caller waits for one.
 */
export async function beginWatch(positionals: readonly string[], names: Names, host: Host): Promise<Change> {
  const before = await look(positionals, names, host)
  return async () => {
    for (;;) {
      // Begun before the look, so that no change in between is lost.
      const watch = await host.watch([...before.folders.keys()])
      if (watch === undefined) return false
      try {
        const now = await look(positionals, names, host)
        if (differ(before.files, now.files) || differ(before.folders, now.folders)) return true
        await watch.event
      } finally {
        watch.close()
      }
    }
  }
}

/** The current stamps of the named files, and the folders where they can change. */
interface Snapshot {
  readonly files: ReadonlyMap<string, string | undefined>
  readonly folders: ReadonlyMap<string, true>
}

async function look(positionals: readonly string[], names: Names, host: Host): Promise<Snapshot> {
  const folders = new Map<string, true>()
  const list = async (path: string) => {
    const entries = await host.list(path)
    folders.set(entries === undefined ? await folderAbove(path, host) : path, true)
    return entries
  }
  const { cwd, open, stamp, isWithin } = host
  const watched = { cwd, list, isWithin, open, stamp }
  const files = new Set<string>()
  for (const { name, folder } of await expand(positionals, watched, names)) {
    if (name === '-' || isUrl(name)) continue
    files.add(resolve(cwd, name))
    if (folder === undefined) continue
    for await (const other of filesOfFolder(folder, () => true, filesIn(watched))) files.add(resolve(cwd, other.name))
  }
  return { files: new Map([...files].map((path) => [path, host.stamp(path)])), folders }
}

async function folderAbove(path: string, host: Host): Promise<string> {
  const folder = dirname(path)
  return folder === path || (await host.list(folder)) !== undefined ? folder : folderAbove(folder, host)
}

const differ = <Value>(before: ReadonlyMap<string, Value>, now: ReadonlyMap<string, Value>): boolean =>
  [...before.keys(), ...now.keys()].some((key) => before.get(key) !== now.get(key))
