import { element } from './dom.ts'
import { load, save } from './saved.ts'

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
