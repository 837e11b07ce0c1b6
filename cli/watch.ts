import { watch as watchPath } from 'node:fs'
import { dirname } from 'node:path'

/** An editor writes a file in several steps; what happens within this time is one change. */
const SETTLE_MS = 60

/**
 * Settled when one of the files has changed. Folders are watched, not files: editors replace a file by another, and what watches
 * the first one hears no more of it.
 */
export function nextChange(paths: readonly string[]): Promise<void> {
  const folders = new Set(paths.map((path) => dirname(path)))
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined
    const watchers = [...folders].map((folder) =>
      watchPath(folder, (_event, name) => {
        if (name !== null && !paths.some((path) => path.endsWith(name))) return
        clearTimeout(timer)
        timer = setTimeout(() => {
          for (const watcher of watchers) watcher.close()
          resolve()
        }, SETTLE_MS)
      }),
    )
  })
}
