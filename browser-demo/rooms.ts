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
