/** Dropped files. A copy, because a browser empties its own list after the event. */
export interface DroppedContent {
  readonly files: readonly File[]
  readonly entries: readonly FileSystemEntry[]
  /** The element that they were dropped on. */
  readonly target: EventTarget | null
}

/** A room is a part of the page. It is opened once, when the reader first enters it. */
export interface Room {
  /** Takes dropped items while the room is in view. */
  drop(dropped: DroppedContent): void
  /** Moves the focus to the main control of the room. */
  focus(): void
  /** Opens a text in the editor. */
  edit?(text: string): void
}

export interface RoomRow {
  /** Also the name of its folder, with room.ts, room.html and room.css, and the hash of its address. */
  readonly name: string
  /** The text of its button. */
  readonly title: string
  /** The text after the name of the page. */
  readonly about: string
  /** Loads its script. `edit` opens a text in the editor. */
  readonly load: () => Promise<{ open(edit: (text: string) => void): Room }>
}

/**
 * The rooms of the page. The first one is loaded at the start, has the editor, and is shown if the address names no
 * room.
 */
export const ROOMS: readonly RoomRow[] = [
  { name: 'document', title: 'Document', about: 'agent documents', load: () => import('./document/room.ts') },
  { name: 'agent', title: 'Agent', about: 'an agent before it runs', load: () => import('./agent/room.ts') },
  { name: 'directory', title: 'Directory', about: 'directory of agents', load: () => import('./directory/room.ts') },
  { name: 'discover', title: 'Discovery', about: 'recorded discoveries', load: () => import('./discover/room.ts') },
  { name: 'runs', title: 'Runs', about: 'what agents did', load: () => import('./runs/room.ts') },
]

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
