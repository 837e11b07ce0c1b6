/**
 * Values that the browser stores between visits. Without storage (private windows, full quota), the page works without
 * them.
 */
export type Key = 'blazon.draft' | 'blazon.editor' | 'blazon.theme'

/** The stored value, if there is one and the browser allows access. */
export function load(key: Key): string | undefined {
  try {
    return localStorage.getItem(key) ?? undefined
  } catch {
    return undefined
  }
}

/** Stores `value`, or removes the key if it is undefined. True if that worked. */
export function save(key: Key, value: string | undefined): boolean {
  try {
    if (value === undefined) localStorage.removeItem(key)
    else localStorage.setItem(key, value)
    return true
  } catch {
    return false
  }
}
