/**
 * Values that this browser keeps between visits. Where storage is refused (private windows, full quota), the page works
 * without them.
 */
export type Key = 'blazon.draft' | 'blazon.editor' | 'blazon.theme'

/** The kept value, if there is one and the browser lets us read it. */
export function load(key: Key): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined
  } catch {
    return undefined
  }
}

/** Keeps `value`, or forgets the key when it is empty; returns true if that worked. */
export function save(key: Key, value: string): boolean {
  try {
    if (value === '') localStorage.removeItem(key)
    else localStorage.setItem(key, value)
    return true
  } catch {
    return false
  }
}
