import type { Examination } from '../examine.ts'

/** What a tab shows of a document; undefined when there is none. */
export interface View {
  show(examination: Examination | undefined): void
}

/** Brings the value that a pointer names into view in the editor. */
export type GoTo = (pointer: string) => void

/** Why a view about agent definitions has nothing to show; undefined when it has. */
export function notAnAgent(examination: Examination | undefined): string | undefined {
  if (examination === undefined) return 'Nothing to read yet.'
  if (examination.document === undefined) return 'The document cannot be read: Findings says why.'
  if (examination.kind !== 'adl') return 'This is about agent definitions: documents with the member adl_spec.'
  return undefined
}
