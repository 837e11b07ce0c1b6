/** What was dropped on the page. A browser empties its own list of it before anybody who waits has read it. */
export interface DroppedContent {
  readonly files: readonly File[]
  readonly entries: readonly FileSystemEntry[]
  /** Where it fell. */
  readonly target: EventTarget | null
}

/** An open room: opened once, when somebody first enters it. */
export interface Room {
  /** Takes dropped items while the room is in view. */
  drop(dropped: DroppedContent): void
  /** Goes to what one works with there. */
  focus(): void
  /** Takes a text to be edited. */
  edit?(text: string): void
}

export interface RoomRow {
  /** Also the name of its folder, with room.ts, room.html and room.css, and of its address behind the `#`. */
  readonly name: string
  /** The words on its button. */
  readonly title: string
  /** The words after the name of the page. */
  readonly about: string
  /** Loads its script. A room gets a function that shows a text in the editor. */
  readonly load: () => Promise<{ open(edit: (text: string) => void): Room }>
}

/**
 * The rooms of the page. The first one is there at the start, edits texts from the others, and is shown when the
 * address names no room.
 */
export const ROOMS: readonly RoomRow[] = [
  { name: 'document', title: 'Document', about: 'agent documents', load: () => import('./document/room.ts') },
  { name: 'directory', title: 'Directory', about: 'directory of agents', load: () => import('./directory/room.ts') },
  { name: 'discover', title: 'Discovery', about: 'recorded discoveries', load: () => import('./discover/room.ts') },
]
