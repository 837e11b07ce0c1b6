import { element } from './dom.ts'

/**
 * Values that the browser stores between visits. Without storage (private windows, full quota), the page works without
 * them.
 */
type Key = 'blazon.draft' | 'blazon.editor' | 'blazon.theme'

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

/** Follows the system unless the reader chose a theme; the choice is stored. */
export function setUpTheme(): void {
  const choice = element<HTMLFieldSetElement>('theme')
  const apply = (theme: string) => {
    if (theme === 'system') delete document.documentElement.dataset['theme']
    else document.documentElement.dataset['theme'] = theme
  }
  const kept = choice.querySelector<HTMLInputElement>(
    `input[value="${load('blazon.theme') === 'dark' ? 'dark' : 'light'}"]`,
  )
  if (load('blazon.theme') !== undefined && kept !== null) {
    kept.checked = true
    apply(kept.value)
  }
  choice.addEventListener('change', (event) => {
    const theme = (event.target as HTMLInputElement).value
    apply(theme)
    save('blazon.theme', theme === 'system' ? undefined : theme)
  })
}
