import type { Entry } from '../host.ts'

/** What a folder holds, sorted as the code units of the names; undefined when it is none. */
export async function listFolder(path: string): Promise<readonly Entry[] | undefined> {
  try {
    const entries = process.getBuiltinModule('node:fs').readdirSync(path, { withFileTypes: true })
    return entries
      .map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }))
      .sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw error
  }
}
