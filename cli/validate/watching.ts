import { dirname, resolve } from 'node:path'
import type { Host } from '../host.ts'
import { expand, isUrl, type Names } from '../inputs/expand.ts'

/** Resolves to true once there is a change, and to false when nobody watches any more. */
export type Change = () => Promise<boolean>

/**
 * Begins to watch what arguments name: files, of which some may not be there yet, and whatever is in folders and matches globs.
 * A change counts from here on, before anybody waits for it.
 */
export async function beginWatch(positionals: readonly string[], names: Names, host: Host): Promise<Change> {
  const before = await look(positionals, names, host)
  return async () => {
    for (;;) {
      // From before the look: nothing that happens meanwhile is lost.
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

/** The files that are named, as they are now, and the folders in which that can change. */
interface Seen {
  readonly files: ReadonlyMap<string, string | undefined>
  readonly folders: ReadonlyMap<string, true>
}

async function look(positionals: readonly string[], names: Names, host: Host): Promise<Seen> {
  const folders = new Map<string, true>()
  const list = async (path: string) => {
    const entries = await host.list(path)
    folders.set(entries === undefined ? await folderAbove(path, host) : path, true)
    return entries
  }
  const { cwd } = host
  const inputs = await expand(positionals, { cwd, list, isWithin: host.isWithin }, names)
  const files = inputs.filter(({ name }) => name !== '-' && !isUrl(name)).map(({ name }) => resolve(cwd, name))
  return { files: new Map(files.map((path) => [path, host.stamp(path)])), folders }
}

/** The nearest that is there. */
async function folderAbove(path: string, host: Host): Promise<string> {
  const folder = dirname(path)
  return folder === path || (await host.list(folder)) !== undefined ? folder : folderAbove(folder, host)
}

function differ<Value>(before: ReadonlyMap<string, Value>, now: ReadonlyMap<string, Value>): boolean {
  return [...before.keys(), ...now.keys()].some((key) => before.get(key) !== now.get(key))
}
