import { watch as watchPath } from 'node:fs'
import { dirname } from 'node:path'

/** An editor writes a file in several steps; changes within this time count as one. */
const SETTLE_MS = 60

/**
 * Resolves when one of the files has changed. Watches folders instead of files: editors replace a file by another one,
 * and a watcher of the first would no longer notice changes.
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
