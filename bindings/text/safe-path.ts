// Relative paths that every file system can store as they are written, with `/` between names.
import { visible } from './hidden.ts'

/** In UTF-8 bytes. Most file systems allow 255 for a name. */
const MOST_PATH_BYTES = 1024
const MOST_NAME_BYTES = 255
const MOST_NAMES = 32

/** Names of devices, which Windows has in every folder and with every extension. */
const DEVICE = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9\u00b9\u00b2\u00b3])(?: *\.|$)/i

const encoder = new TextEncoder()

/** True for a name that Windows reads as a device. */
export const isDeviceName = (name: string): boolean => DEVICE.test(name)

/** The reason that a path is not safe on every system; undefined when it is. */
export function pathRisk(path: string): string | undefined {
  // The first test bounds the work of the others.
  if (isLonger(path, MOST_PATH_BYTES)) return `it is longer than ${MOST_PATH_BYTES} bytes`
  if (path.startsWith('/')) return 'it is absolute'
  if (path.includes('\\')) return 'it has a backslash'
  if (visible(path) !== path) return 'it has a NUL or another hidden character'
  if (/[<>:"|?*]/.test(path)) return 'it has a character that Windows refuses in names'
  if (path.normalize('NFC') !== path) return 'it is not in Unicode form NFC'
  const names = path.split('/')
  return names.length > MOST_NAMES ? `it has more than ${MOST_NAMES} names` : names.map(nameRisk).find(Boolean)
}

function nameRisk(name: string): string | undefined {
  if (name === '') return 'a name in it is empty'
  if (name === '.' || name === '..') return `it has ${name} as a name`
  if (name.endsWith('.') || name.endsWith(' ')) return 'a name in it ends with a dot or a space'
  if (isDeviceName(name)) return 'a name in it is that of a device'
  return isLonger(name, MOST_NAME_BYTES) ? `a name in it has over ${MOST_NAME_BYTES} bytes` : undefined
}

/** A text of few characters is not encoded: in UTF-8, each has at most three bytes. */
const isLonger = (text: string, most: number) =>
  text.length > most || (text.length * 3 > most && encoder.encode(text).length > most)

/** Safe paths of one folder, to detect those that a file system would store at the same place. */
export class PathSet {
  /** By folded path: how it is written, with `/` after a folder. */
  readonly #written = new Map<string, string>()

  /** Adds a file; returns the path that it collides with, which may be the same one, or a folder with `/`. */
  add(path: string): string | undefined {
    const [names, folded] = [path, fold(path)].map((text) => text.split('/'))
    let [written, key] = ['', '']
    for (let i = 0; i < names!.length; i++) {
      const isFile = i === names!.length - 1
      written += names![i]! + (isFile ? '' : '/')
      key += `/${folded![i]}`
      const before = this.#written.get(key)
      if (before === undefined) this.#written.set(key, written)
      else if (isFile || before !== written) return before
    }
    return undefined
  }
}

/** Upper case makes one text of all that some file system takes for one, as of `ß` and `ss`; `ẞ` becomes `ß` first. */
const fold = (path: string) => path.toLowerCase().toUpperCase().toLowerCase().normalize('NFC')
