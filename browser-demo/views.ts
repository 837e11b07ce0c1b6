import type { Diagnostic } from '../bindings/document/types.ts'
import { type Kind, rowOf } from '../bindings/kinds.ts'
import { element } from './dom.ts'
import type { Examination } from './examine.ts'
import { Findings } from './views/findings.ts'
import { Canonical, Outline } from './views/outline.ts'
import { PromptPreview } from './views/prompt.ts'
import type { Edit, View } from './views/view.ts'

/** What views can do with the document. */
export interface Workbench {
  lineText(line: number): string
  reveal(diagnostic: Diagnostic): void
  /** Selects the value that a pointer names in the editor. */
  goTo(pointer: string): void
  apply(diagnostic: Diagnostic): void
  openExample(name: string): void
  edit: Edit
}

export interface ViewRow {
  /** Also the name of its HTML file in the folder views. */
  readonly name: string
  /** The text of its tab, and the id of a count after it. */
  readonly title: string
  readonly count?: string
  /** The kinds of documents that it shows: all, those that can be verified, or these. */
  readonly kinds: readonly Kind[] | 'all' | 'proved'
  /** The text shown for other documents. A view without it also shows unreadable and empty documents. */
  readonly otherwise?: string
  /** Called once; returns a promise if the view's script has to be loaded. */
  readonly make: (workbench: Workbench) => View | Promise<View>
}

const UNREAD = 'The document is unreadable.'

const DEFINITIONS = {
  kinds: ['adl'],
  otherwise: 'Only for agent definitions: documents with the member adl_spec.',
} as const

/** The views of a document, in the order of their tabs. */
export const VIEWS: readonly ViewRow[] = [
  {
    name: 'findings',
    title: 'Findings',
    count: 'finding-count',
    kinds: 'all',
    make: (workbench) => new Findings(workbench),
  },
  { name: 'outline', title: 'Outline', kinds: 'all', otherwise: UNREAD, make: ({ goTo }) => new Outline(goTo) },
  { name: 'canonical', title: 'Canonical', kinds: 'all', make: () => new Canonical() },
  {
    name: 'signature',
    title: 'Signature',
    kinds: 'proved',
    otherwise: 'Nothing in documents of this kind can be verified.',
    make: async ({ goTo, edit }) => new (await import('./views/signature.ts')).Signature(goTo, edit),
  },
  {
    name: 'permissions',
    title: 'Permissions',
    kinds: ['adl', 'claude-settings'],
    otherwise: 'Only for agent definitions and settings of Claude Code.',
    make: async ({ goTo }) => new (await import('./views/permissions.ts')).Permissions(goTo),
  },
  { name: 'prompt', title: 'Prompt', ...DEFINITIONS, make: () => new PromptPreview() },
  {
    name: 'convert',
    title: 'Convert',
    kinds: 'all',
    otherwise: UNREAD,
    make: async ({ goTo, edit }) => new (await import('./views/convert.ts')).Convert(goTo, edit),
  },
]

/** The reason why a view has nothing to show, or undefined. */
export function nothingFor({ kinds, otherwise }: ViewRow, examination: Examination | undefined): string | undefined {
  if (otherwise === undefined) return undefined
  const { document, kind } = examination ?? {}
  if (examination === undefined) return 'Nothing to read yet.'
  if (kinds === 'all') return document === undefined ? otherwise : undefined
  if (document === undefined) return 'The document is unreadable; see Findings.'
  const isFor = kind !== undefined && (kinds === 'proved' ? rowOf(kind).isProved : kinds.includes(kind))
  return isFor ? undefined : otherwise
}

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
