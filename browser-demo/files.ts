import type { DroppedContent } from './rooms.ts'

/** A file with its path in the folder that was opened, or its name. */
export interface NamedFile {
  readonly path: string
  readonly file: File
}

/** The files that a reader picked. */
export const pickedFiles = (files: Iterable<File> | null): NamedFile[] =>
  [...(files ?? [])].map((file) => ({ path: file.webkitRelativePath || file.name, file }))

/** All dropped files, including those in folders, and the number of unreadable files and folders. */
export async function filesOf({
  entries,
  files: plain,
}: DroppedContent): Promise<{ files: readonly NamedFile[]; unreadable: number }> {
  if (!entries.some((entry) => entry.isDirectory)) return { files: pickedFiles(plain), unreadable: 0 }
  const files: NamedFile[] = []
  let unreadable = 0
  const open = [...entries]
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    try {
      if (entry.isDirectory) for (const one of await childrenOf(entry as FileSystemDirectoryEntry)) open.push(one)
      else files.push({ path: entry.fullPath.slice(1), file: await fileOf(entry as FileSystemFileEntry) })
    } catch {
      unreadable++
    }
  }
  return { files, unreadable }
}

/** True for hidden files, and for folders with other people's files. */
export const isForeign = (name: string) => name.startsWith('.') || name === 'node_modules'

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject))
}

/** A browser lists a folder in parts; the last one is empty. */
async function childrenOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const children: FileSystemEntry[] = []
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (part.length === 0) return children
    for (const one of part.filter(({ name }) => !isForeign(name))) children.push(one)
  }
}
