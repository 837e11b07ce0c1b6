import { element } from './dom.ts'

export const VIEWS = ['findings', 'outline', 'canonical', 'signature', 'permissions', 'prompt', 'convert'] as const

export type ViewName = (typeof VIEWS)[number]

/** The tabs of the right pane (ARIA's tab pattern): arrows, Home and End move along, and a tab shows when it is reached. */
export class Tabs {
  selected: ViewName = 'findings'
  readonly #changed: () => void

  constructor(changed: () => void) {
    this.#changed = changed
    const list = element('tabs')
    for (const name of VIEWS) tabOf(name).addEventListener('click', () => this.select(name))
    list.addEventListener('keydown', (event) => {
      const at = VIEWS.indexOf(this.selected)
      const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: VIEWS.length - 1 }[event.key]
      if (to === undefined) return
      event.preventDefault()
      this.select(VIEWS[(to + VIEWS.length) % VIEWS.length]!)
      tabOf(this.selected).focus()
    })
  }

  select(chosen: ViewName): void {
    this.selected = chosen
    for (const name of VIEWS) {
      tabOf(name).setAttribute('aria-selected', String(name === chosen))
      tabOf(name).tabIndex = name === chosen ? 0 : -1
      element(`view-${name}`).hidden = name !== chosen
    }
    tabOf(chosen).scrollIntoView({ block: 'nearest', inline: 'nearest' })
    this.#changed()
  }
}

const tabOf = (name: ViewName) => element<HTMLButtonElement>(`tab-${name}`)
