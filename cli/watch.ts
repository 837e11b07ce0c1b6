import { watch } from 'node:fs'
import type { Watch } from './host.ts'
import { UsageError } from './usage.ts'

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
