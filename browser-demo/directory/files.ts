import type { DroppedContent } from '../rooms.ts'
import type { Source } from './split.ts'

const DOCUMENT = /\.(?:jsonl?|ndjson|ya?ml|adl)$/i

/** The files that may be documents, by their names. */
export function sourcesOf(files: readonly File[]): Source[] {
  const documents = files.filter(({ name }) => DOCUMENT.test(name))
  return documents.map((file) => ({ name: file.webkitRelativePath || file.name, blob: file }))
}

/** All dropped files, including those in folders, and the number of unreadable files and folders. */
export async function filesOf({
  entries,
  files: plain,
}: DroppedContent): Promise<{ files: readonly File[]; unreadable: number }> {
  if (!entries.some((entry) => entry.isDirectory)) return { files: plain, unreadable: 0 }
  const files: File[] = []
  let unreadable = 0
  const open = [...entries]
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    try {
      if (entry.isDirectory) open.push(...(await childrenOf(entry as FileSystemDirectoryEntry)))
      else files.push(await fileOf(entry as FileSystemFileEntry))
    } catch {
      unreadable++
    }
  }
  return { files, unreadable }
}

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
    children.push(...part)
  }
}
