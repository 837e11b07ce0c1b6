import type { Source } from './pieces.ts'

const DOCUMENT = /\.(?:jsonl?|ndjson|ya?ml|adl)$/i

/** The files that may hold documents, by their names. */
export function sourcesOf(files: readonly File[]): Source[] {
  const documents = files.filter(({ name }) => DOCUMENT.test(name))
  return documents.map((file) => ({ name: file.webkitRelativePath || file.name, blob: file }))
}

/** All dropped files, including those in folders. Rejects where the browser does not let a page read folders. */
export async function filesOf(transfer: DataTransfer): Promise<File[]> {
  // Read before the first await: after it the list is empty.
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry())
  const plain = [...transfer.files]
  if (!entries.some((entry) => entry?.isDirectory)) return plain
  const files: File[] = []
  const open = entries.filter((entry) => entry !== null)
  for (let entry = open.pop(); entry !== undefined; entry = open.pop()) {
    if (entry.isDirectory) open.push(...(await childrenOf(entry as FileSystemDirectoryEntry)))
    else files.push(await fileOf(entry as FileSystemFileEntry))
  }
  return files
}

function fileOf(entry: FileSystemFileEntry): Promise<File> {
  return new Promise((resolve, reject) => entry.file(resolve, reject))
}

/** A folder is read in parts, until one is empty. */
async function childrenOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const children: FileSystemEntry[] = []
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (part.length === 0) return children
    children.push(...part)
  }
}
