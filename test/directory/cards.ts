import {
  type Advertised,
  createDirectory,
  createMemoryStore,
  type Directory,
  type DirectoryOptions,
} from '../../bindings/directory/index.ts'

/** A clock that stands until it is set on. */
export function clock() {
  let time = Date.parse('2026-11-21T12:00:00Z')
  return {
    now: () => new Date(time),
    on: (seconds: number) => {
      time += seconds * 1000
    },
  }
}

/** A directory that takes whatever is valid, as of a folder of one's own. */
export function openDirectory(options: Partial<DirectoryOptions> = {}): Directory {
  return createDirectory({ store: createMemoryStore(), acceptUnverified: true, ...options })
}

export const put = (directory: Directory, card: object): Promise<Advertised> =>
  directory.advertise(JSON.stringify({ name: 'an agent', ...card }))
