import {
  type AdvertiseResult,
  createDirectory,
  createMemoryStore,
  type Directory,
  type DirectoryOptions,
} from '../../bindings/directory/index.ts'

/** A clock that stands still until it is moved. */
export function clock() {
  let time = Date.parse('2026-11-21T12:00:00Z')
  return {
    now: () => new Date(time),
    on: (seconds: number) => {
      time += seconds * 1000
    },
  }
}

/** A directory that accepts every valid card, like one for your own folder. */
export function openDirectory(options: Partial<DirectoryOptions> = {}): Directory {
  return createDirectory({ store: createMemoryStore(), acceptUnverified: true, ...options })
}

export const put = (directory: Directory, card: object): Promise<AdvertiseResult> =>
  directory.advertise(JSON.stringify({ name: 'an agent', ...card }))
