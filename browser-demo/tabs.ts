import { element } from './dom.ts'

interface Tab {
  /** With the prefixes `tab-` and `view-`, the ids of its button and its panel. */
  readonly name: string
}

/**
 * The tabs of the right pane (ARIA's tab pattern): arrows, Home and End move between tabs, and a tab shows when it has
 * the focus.
 */
export class Tabs<Row extends Tab> {
  selected: Row
  readonly #rows: readonly Row[]
  readonly #changed: () => void

  constructor(rows: readonly Row[], changed: () => void) {
    this.#rows = rows
    this.selected = rows[0]!
    this.#changed = changed
    for (const row of rows) tabOf(row).addEventListener('click', () => this.select(row))
    element('tabs').addEventListener('keydown', (event) => {
      const at = rows.indexOf(this.selected)
      const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: rows.length - 1 }[event.key]
      if (to === undefined) return
      event.preventDefault()
      this.select(rows[(to + rows.length) % rows.length]!)
      tabOf(this.selected).focus()
    })
  }

  select(chosen: Row): void {
    this.selected = chosen
    for (const row of this.#rows) {
      tabOf(row).setAttribute('aria-selected', String(row === chosen))
      tabOf(row).tabIndex = row === chosen ? 0 : -1
      element(`view-${row.name}`).hidden = row !== chosen
    }
    tabOf(chosen).scrollIntoView({ block: 'nearest', inline: 'nearest' })
    this.#changed()
  }
}

const tabOf = ({ name }: Tab) => element<HTMLButtonElement>(`tab-${name}`)
