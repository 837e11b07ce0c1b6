import type { Entry } from '../host.ts'

const fs = process.getBuiltinModule('node:fs')

/** Lists a folder, sorted by the code units of the names; undefined for anything else. */
export async function listFolder(path: string): Promise<readonly Entry[] | undefined> {
  try {
    const entries = fs.readdirSync(path, { withFileTypes: true })
    return entries
      .map((entry) => ({ name: entry.name, kind: kindOf(entry) }))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
}

interface Stats {
  isDirectory(): boolean
  isFile(): boolean
  isSymbolicLink(): boolean
}

function kindOf(stats: Stats): Entry['kind'] {
  if (stats.isDirectory()) return 'folder'
  if (stats.isFile()) return 'file'
  return stats.isSymbolicLink() ? 'link' : 'other'
}

/** True when a path, with links resolved, is a regular file in a folder. */
export async function isWithin(path: string, folder: string): Promise<boolean> {
  try {
    const [real, root] = [fs.realpathSync(path), fs.realpathSync(folder)]
    const { relative, isAbsolute, sep } = process.getBuiltinModule('node:path')
    const way = relative(root, real)
    const isBelow = way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
    return isBelow && fs.statSync(real).isFile()
  } catch {
    // A broken link is not a file.
    return false
  }
}
