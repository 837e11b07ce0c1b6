import { toast } from './announce.ts'
import type { DirectoryRoom } from './directory/index.ts'
import { element } from './dom.ts'
import { loadDirectory } from './parts.ts'

const ROOMS = ['document', 'directory'] as const
type Room = (typeof ROOMS)[number]

/** The two parts of the page: one document, or a directory of many. The second is loaded when somebody enters it. */
export class Rooms {
  readonly #open: (text: string) => void
  #directory: Promise<DirectoryRoom> | undefined
  #current: Room = 'document'

  /** @param open puts a text into the editor. */
  constructor(open: (text: string) => void) {
    this.#open = open
    for (const room of ROOMS) element(`to-${room}`).addEventListener('click', () => this.#enter(room))
    const follow = () => this.#enter(location.hash === '#directory' ? 'directory' : 'document')
    addEventListener('hashchange', follow)
    follow()
  }

  /** Takes what was dropped, when the directory is in view. */
  drop(transfer: DataTransfer): boolean {
    if (this.#current !== 'directory') return false
    this.#directory?.then((directory) => directory.drop(transfer))
    return true
  }

  #enter(chosen: Room): void {
    this.#current = chosen
    for (const room of ROOMS) {
      element(`room-${room}`).hidden = room !== chosen
      element(`to-${room}`).setAttribute('aria-current', room === chosen ? 'page' : 'false')
    }
    if (chosen === 'document' || this.#directory !== undefined) return
    this.#directory = loadDirectory().then(({ DirectoryRoom }) => new DirectoryRoom((text) => this.#edit(text)))
    this.#directory.catch((error: Error) => {
      this.#directory = undefined
      toast(error.message)
    })
  }

  #edit(text: string): void {
    this.#enter('document')
    this.#open(text)
  }
}
