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

/** Keeps `value`, or forgets the key without one; returns true if that worked. */
export function save(key: Key, value: string | undefined): boolean {
  try {
    if (value === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
    return true
  } catch {
    return false
  }
}
